import type { WebhookAttempt, WebhookDelivery } from '@parlance/contracts'
import { type Page, type PageRequest, pageByTime, type Queryable, timeOrder } from '@parlance/store'

interface Row extends Omit<WebhookDelivery, 'webhook_id' | 'next_attempt_at' | 'created_at' | 'attempts'> {
  endpoint_id: string
  next_attempt_at: Date | null
  created_at: Date
  attempts: (Omit<WebhookAttempt, 'attempted_at'> & { attempted_at: string })[]
}

/** A page of deliveries must fit in a message of the bus. */
const maxShownAttempts = 7

const columns = `d.id, d.endpoint_id, d.event_id, e.type, d.status, d.next_attempt_at, d.created_at, array(
      select json_build_object('attempted_at', a.attempted_at, 'duration_ms', a.duration_ms, 'status', a.status,
        'response', a.response, 'error', a.error)
      from attempts a where a.workspace_id = $1 and a.delivery_id = d.id
      order by a.attempted_at desc, a.id limit ${maxShownAttempts}
    ) as attempts`

/** The deliveries of an endpoint. */
const ofEndpoint = `deliveries d join events e on e.workspace_id = $1 and e.id = d.event_id
  where d.workspace_id = $1 and d.endpoint_id = $2`

const toDelivery = ({ endpoint_id, ...row }: Row): WebhookDelivery => ({
  ...row,
  webhook_id: endpoint_id,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  attempts: row.attempts.map((attempt) => ({
    ...attempt,
    attempted_at: new Date(attempt.attempted_at).toISOString(),
  })),
})

interface DeliveryFilter {
  readonly workspaceId: string
  readonly endpointId: string
  readonly status?: WebhookDelivery['status'] | undefined
}

/** By time of creation. Rejects with `invalid_request` for a wrong cursor. */
export const listDeliveries = async (
  transaction: Queryable,
  { workspaceId, endpointId, status }: DeliveryFilter,
  { limit, ...page }: PageRequest,
): Promise<Page<WebhookDelivery>> => {
  const { createdUs, isAfter, orderBy, values } = timeOrder(page, 'd', 4)
  const rows = await transaction.query<Row & { created_us: number }>(
    `select ${columns}, ${createdUs} from ${ofEndpoint}
       and ($3::text is null or d.status = $3) and ${isAfter} ${orderBy} limit $6`,
    [workspaceId, endpointId, status ?? null, ...values, limit + 1],
  )
  return pageByTime(rows, { limit, toItem: toDelivery })
}

/** Undefined when the endpoint has no such delivery. */
export const findDelivery = async (
  transaction: Queryable,
  { workspaceId, endpointId }: DeliveryFilter,
  deliveryId: string,
): Promise<WebhookDelivery | undefined> => {
  const [row] = await transaction.query<Row>(`select ${columns} from ${ofEndpoint} and d.id = $3`, [
    workspaceId,
    endpointId,
    deliveryId,
  ])
  return row && toDelivery(row)
}
