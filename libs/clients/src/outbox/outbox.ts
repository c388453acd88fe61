import type { Database, Queryable } from '@parlance/store'

/**
 * What another service must learn of is added to the table `outbox` of the schema in the transaction in which it happens,
 * and sent later. So it is sent if and only if it happened. The id of an event is made once; a receiver that was sent an event
 * twice recognizes it by the id.
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
  /** The service that it is for. */
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
 * process is sending are left to it. Resolves to their number.
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
