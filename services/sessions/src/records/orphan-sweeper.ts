/**
 * Marks conversations as failed that are live by their records but run on no instance: their instance stopped without
 * warning, or could not write their end. All instances do this, even at the same time: a record that has ended stays as it is.
 */
import type { Heartbeat, SessionRegistry } from '@parlance/clients/session-registry'
import { type Database, type Sweep, startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import { isLive } from './session-row.js'

interface RunningSessions {
  readonly sessionIds: readonly string[]
  /** A younger conversation is ignored: it may still be starting. */
  readonly youngerThanMs: number
}

type OrphanRepository = ReturnType<typeof createOrphanRepository>

/** Conversations of all workspaces that are live by their records. */
export const createOrphanRepository = (database: Database) => ({
  /** The instances that these conversations belong to. */
  async instances(): Promise<string[]> {
    const rows = await database.acrossWorkspaces((transaction) =>
      transaction.query<{ instance_id: string }>(`select distinct instance_id from sessions where ${isLive}`),
    )
    return rows.map(({ instance_id }) => instance_id)
  },

  /**
   * Marks the live conversations of this instance as failed, except these, which still run. A message that was being spoken
   * becomes an interrupted one. Returns how many conversations were marked.
   */
  async fail(
    instanceId: string,
    { sessionIds, youngerThanMs }: RunningSessions = { sessionIds: [], youngerThanMs: 0 },
  ): Promise<number> {
    const failed = await database.acrossWorkspaces((transaction) =>
      transaction.query(
        `with failed as (
           update sessions set status = 'failed', end_reason = 'internal_error', ended_at = now(),
             error_code = 'internal_error', error_detail = 'The server that held this session stopped without warning.'
           where instance_id = $1 and ${isLive} and id <> all($2::uuid[])
             and created_at <= clock_timestamp() - $3 * interval '1 ms'
           returning workspace_id, id
         ), interrupted as (
           update messages m set in_progress = false, interrupted = true
           from failed f where m.workspace_id = f.workspace_id and m.session_id = f.id and m.in_progress
         )
         select id from failed`,
        [instanceId, sessionIds, youngerThanMs],
      ),
    )
    return failed.length
  },
})

interface OrphanSweeperOptions {
  readonly instanceId: string
  readonly orphans: OrphanRepository
  readonly registry: Pick<SessionRegistry, 'lives'>
  readonly heartbeat: Pick<Heartbeat, 'trusted'>
  /** The ids of the conversations that run on this instance. */
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
    for (const instance of await orphans.instances()) {
      const isOwn = instance === instanceId
      if (!isOwn && (await registry.lives(instance))) continue
      const except = isOwn ? { sessionIds: liveIds(), youngerThanMs: startWithinMs } : undefined
      const count = await orphans.fail(instance, except)
      if (count > 0)
        logger.warn({ instanceId: instance, count }, 'Conversations of an instance that stopped were marked as failed')
    }
  }
  return startSweep(sweep, {
    everyMs,
    onFailed: (err) => logger.warn({ err }, 'Looking for conversations of stopped instances failed; it is tried again'),
  })
}
