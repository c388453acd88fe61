import type { Database, Queryable } from '@parlance/store'

/**
 * An event for another service is added to the table `outbox` of the schema in the transaction of the change, and sent later.
 * So it is sent if and only if the change was committed. An event keeps its id; a receiver recognizes an event that it receives
 * twice by the id.
 */
export interface OutboxEvent {
  readonly id: string
  readonly workspaceId: string
  readonly createdAt: Date
  /** JSON. */
  readonly payload: unknown
}

export interface NewOutboxEvent {
  readonly workspaceId: string
  /** The service that receives the event. */
  readonly destination: string
  readonly payload: object
}

/** Adds an event in a transaction that may write to the workspace. */
export const addToOutbox = async (
  transaction: Queryable,
  { workspaceId, destination, payload }: NewOutboxEvent,
): Promise<void> => {
  await transaction.query('insert into outbox (workspace_id, destination, payload) values ($1, $2, $3)', [
    workspaceId,
    destination,
    JSON.stringify(payload),
  ])
}

interface Row {
  id: string
  workspace_id: string
  created_at: Date
  payload: unknown
}

/**
 * Removes the oldest events for a destination once `send` has resolved. Nothing is removed when it rejects. Events that another
 * process is sending are skipped. Resolves to the number of removed events.
 */
export const sendFromOutbox = (
  database: Pick<Database, 'acrossWorkspaces'>,
  { destination, limit }: { destination: string; limit: number },
  send: (events: readonly OutboxEvent[]) => Promise<unknown>,
): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const rows = await transaction.query<Row>(
      `with taken as (
         delete from outbox where id in (
           select id from outbox where destination = $1 order by created_at, id limit $2 for update skip locked)
         returning *
       )
       select id, workspace_id, created_at, payload from taken order by created_at, id`,
      [destination, limit],
    )
    const events = rows.map(({ id, workspace_id, created_at, payload }) => ({
      ...{ id, workspaceId: workspace_id, createdAt: created_at, payload },
    }))
    if (events.length > 0) await send(events)
    return events.length
  })
