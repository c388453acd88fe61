/**
 * Marks conversations as failed that are live according to their records but that no instance runs: their instance stopped
 * without warning, or could not write their end. Every instance does this, and several may at the same time: a record that has
 * ended stays as it is.
 */
import type { Heartbeat, SessionRegistry } from '@parlance/clients/session-registry'
import type { Logger } from '@parlance/telemetry'
import type { OrphanRepository } from '../records/orphan-repository.js'

export interface OrphanSweeperOptions {
  readonly instanceId: string
  readonly orphans: OrphanRepository
  readonly registry: Pick<SessionRegistry, 'lives'>
  readonly heartbeat: Pick<Heartbeat, 'trusted'>
  /** The conversations that this instance has. */
  liveIds(): readonly string[]
  readonly logger: Logger
}

export interface OrphanSweeper {
  stop(): Promise<void>
}

const everyMs = 2_000
/** Longer than any start takes. */
const startWithinMs = 120_000

export const startOrphanSweeper = (options: OrphanSweeperOptions): OrphanSweeper => {
  const { instanceId, orphans, registry, heartbeat, liveIds, logger } = options
  let sweeping: Promise<void> | undefined

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
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((err: unknown) =>
        logger.warn({ err }, 'Looking for conversations of stopped instances failed; it is tried again'),
      )
      .finally(() => {
        sweeping = undefined
      })
  }, everyMs)

  return {
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}
