import type { WebhookAttempt, WebhookDelivery } from '@parlance/contracts'
import { decodeCursor, following, type Page, type PageRequest, pageOf, type Queryable } from '@parlance/store'
import { z } from 'zod'

interface Row extends Omit<WebhookDelivery, 'webhook_id' | 'next_attempt_at' | 'created_at' | 'attempts'> {
  endpoint_id: string
  next_attempt_at: Date | null
  created_at: Date
  created_us: number
  attempts: (Omit<WebhookAttempt, 'attempted_at'> & { attempted_at: string })[]
}

/** A page of deliveries must fit in a message of the bus. */
const maxShownAttempts = 7

const selectDeliveries = `
  select d.id, d.endpoint_id, d.event_id, e.type, d.status, d.next_attempt_at, d.created_at,
    (extract(epoch from d.created_at) * 1e6)::float8 as created_us,
    array(
      select json_build_object('attempted_at', a.attempted_at, 'duration_ms', a.duration_ms, 'status', a.status,
        'response', a.response, 'error', a.error)
      from attempts a where a.workspace_id = $1 and a.delivery_id = d.id
      order by a.attempted_at desc, a.id limit ${maxShownAttempts}
    ) as attempts
  from deliveries d join events e on e.workspace_id = $1 and e.id = d.event_id
  where d.workspace_id = $1 and d.endpoint_id = $2`

const toDelivery = ({ endpoint_id, created_us: _, ...row }: Row): WebhookDelivery => ({
  ...row,
  webhook_id: endpoint_id,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  attempts: row.attempts.map((attempt) => ({
    ...attempt,
    attempted_at: new Date(attempt.attempted_at).toISOString(),
  })),
})

export interface DeliveryFilter {
  readonly workspaceId: string
  readonly endpointId: string
  readonly status?: WebhookDelivery['status'] | undefined
}

const positionSchema = z.tuple([z.int().nonnegative(), z.uuid()])

/** By time of creation. Rejects with `invalid_request` for a wrong cursor. */
export const listDeliveries = async (
  transaction: Queryable,
  { workspaceId, endpointId, status }: DeliveryFilter,
  { limit, cursor, order }: PageRequest,
): Promise<Page<WebhookDelivery>> => {
  const [createdUs, id] = decodeCursor(cursor, positionSchema) ?? [null, null]
  const rows = await transaction.query<Row>(
    `${selectDeliveries} and ($3::text is null or d.status = $3) and ($4::float8 is null or
       (d.created_at, d.id) ${following[order]} (timestamptz 'epoch' + $4 * interval '1 microsecond', $5::uuid))
     order by d.created_at ${order}, d.id ${order} limit $6`,
    [workspaceId, endpointId, status ?? null, createdUs, id, limit + 1],
  )
  return pageOf(rows, { limit, placeOf: (row) => [row.created_us, row.id], toItem: toDelivery })
}

/** Undefined when the endpoint has no such delivery. */
export const findDelivery = async (
  transaction: Queryable,
  { workspaceId, endpointId }: DeliveryFilter,
  deliveryId: string,
): Promise<WebhookDelivery | undefined> => {
  const [row] = await transaction.query<Row>(`${selectDeliveries} and d.id = $3`, [workspaceId, endpointId, deliveryId])
  return row && toDelivery(row)
}
