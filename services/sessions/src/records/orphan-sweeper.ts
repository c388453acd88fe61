/**
 * Marks conversations as failed that are live according to their records but that no instance runs: their instance stopped
 * without warning, or could not write their end. Every instance does this, and several may at the same time: a record that has
 * ended stays as it is.
 */
import type { Heartbeat, SessionRegistry } from '@parlance/clients/session-registry'
import { type Sweep, startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { OrphanRepository } from './orphan-repository.js'

export interface OrphanSweeperOptions {
  readonly instanceId: string
  readonly orphans: OrphanRepository
  readonly registry: Pick<SessionRegistry, 'lives'>
  readonly heartbeat: Pick<Heartbeat, 'trusted'>
  /** The conversations that this instance has. */
  liveIds(): readonly string[]
  readonly logger: Logger
}

const everyMs = 2_000
/** Longer than any start takes. */
const startWithinMs = 120_000

export const startOrphanSweeper = (options: OrphanSweeperOptions): Sweep => {
  const { instanceId, orphans, registry, heartbeat, liveIds, logger } = options
  const sweep = async (): Promise<void> => {
    if (!heartbeat.trusted()) return
    for (const holder of await orphans.holders()) {
      const isOwn = holder === instanceId
      if (!isOwn && (await registry.lives(holder))) continue
      const held = isOwn ? { sessionIds: liveIds(), youngerThanMs: startWithinMs } : undefined
      const count = await orphans.fail(holder, held)
      if (count > 0)
        logger.warn({ instanceId: holder, count }, 'Conversations of an instance that stopped were marked as failed')
    }
  }
  return startSweep(sweep, {
    everyMs,
    onFailed: (err) => logger.warn({ err }, 'Looking for conversations of stopped instances failed; it is tried again'),
  })
}
