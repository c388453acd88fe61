import type { webhooksContract } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import type { z } from 'zod'

type ReceivedEvent = z.output<typeof webhooksContract.methods.recordEvents.request>['events'][number]

/** Stores events and makes their deliveries due, all or none. Events that were stored before are skipped. */
export type RecordEvents = (events: readonly ReceivedEvent[]) => Promise<void>

interface RecordEventsOptions {
  readonly database: Pick<Database, 'acrossWorkspaces'>
  readonly now: () => Date
}

/**
 * An event without an endpoint is not stored. An event that waited in an outbox is not sent to endpoints that were created
 * later. Endpoints are locked, so that one that is deleted meanwhile gets no delivery.
 */
const insertDeliveries = `
  with received as (
    select distinct on (workspace_id, id) *
    from jsonb_to_recordset($1) as r (workspace_id uuid, id uuid, type text, body text, created_at timestamptz)
  ), wanted as (
    select r.*, p.id as endpoint_id from received r
      join endpoints p on p.workspace_id = r.workspace_id and p.enabled and r.type = any (p.events)
        and date_trunc('milliseconds', p.created_at) <= r.created_at
    for key share of p
  ), taken as (
    insert into events (workspace_id, id, type, body, created_at)
    select distinct workspace_id, id, type, body, created_at from wanted
    on conflict do nothing returning workspace_id, id
  )
  insert into deliveries (workspace_id, endpoint_id, event_id, next_attempt_at)
  select workspace_id, endpoint_id, id, $2::timestamptz from wanted join taken using (workspace_id, id)`

export const createRecordEvents =
  ({ database, now }: RecordEventsOptions): RecordEvents =>
  async (events) => {
    const rows = events.map(({ id, workspace_id, at, event: { type, data } }) => ({
      ...{ id, workspace_id, type, created_at: at },
      body: JSON.stringify({ type, timestamp: at, data }),
    }))
    await database.acrossWorkspaces((transaction) => transaction.query(insertDeliveries, [JSON.stringify(rows), now()]))
  }
