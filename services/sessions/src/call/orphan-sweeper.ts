/**
 * Brings records to their end that say of a conversation that it lives, and nobody holds it: its instance has died, or
 * could not write how it ended. Every instance does it, and any number may at the same time: what is at its end stays as
 * it is.
 */
import type { Heartbeat, SessionRegistry } from '@parlance/clients/session-registry'
import type { Logger } from '@parlance/telemetry'
import type { OrphanRepository } from '../records/orphan-repository.js'

export interface OrphanSweeperOptions {
  readonly instanceId: string
  readonly orphans: OrphanRepository
  readonly registry: Pick<SessionRegistry, 'lives'>
  readonly heartbeat: Pick<Heartbeat, 'trusted'>
  /** What this instance holds. */
  heldIds(): readonly string[]
  readonly logger: Logger
}

export interface OrphanSweeper {
  stop(): Promise<void>
}

const everyMs = 2_000
/** No start takes as long as this. */
const startWithinMs = 120_000

export const startOrphanSweeper = (options: OrphanSweeperOptions): OrphanSweeper => {
  const { instanceId, orphans, registry, heartbeat, heldIds, logger } = options
  let sweeping: Promise<void> | undefined

  const sweep = async (): Promise<void> => {
    if (!heartbeat.trusted()) return
    for (const holder of await orphans.holders()) {
      const isOwn = holder === instanceId
      if (!isOwn && (await registry.lives(holder))) continue
      const held = isOwn ? { sessionIds: heldIds(), youngerThanMs: startWithinMs } : undefined
      const count = await orphans.fail(holder, held)
      if (count > 0) logger.warn({ instanceId: holder, count }, 'conversations were not held by anybody any more')
    }
  }
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((err: unknown) => logger.warn({ err }, 'conversations of dead instances could not be looked for now'))
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
