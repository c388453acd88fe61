import type { Usage } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'

export type Resolution = 'settled' | 'released' | 'expired'

export interface ReservationName {
  readonly workspaceId: string
  readonly id: string
}

/** How a reservation ended, which never changes. */
export interface EndedReservation extends ReservationName {
  readonly leaseId: string
  readonly resolution: Resolution
  readonly paidByLeaseNano: bigint
  /** Paid by the account, because the lease was closed. */
  readonly paidLateNano: bigint
  /** Not charged, because there was no credit for it. */
  readonly uncoveredNano: bigint
}

export interface ReservationRecord extends EndedReservation {
  readonly amountNano: bigint
  readonly usage: Usage | null
}

interface Row {
  workspace_id: string
  id: string
  lease_id: string
  resolution: Resolution
  paid_by_lease: string
  paid_late: string
  uncovered: string
}

/** Those of the reservations that have ended. */
export const findEndedReservations = async (
  queryable: Queryable,
  reservations: readonly ReservationName[],
): Promise<EndedReservation[]> => {
  if (reservations.length === 0) return []
  const rows = await queryable.query<Row>(
    `select workspace_id, id, lease_id, resolution, paid_by_lease, paid_late, uncovered from holds
     where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [reservations.map(({ workspaceId }) => workspaceId), reservations.map(({ id }) => id)],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    id: row.id,
    leaseId: row.lease_id,
    resolution: row.resolution,
    paidByLeaseNano: BigInt(row.paid_by_lease),
    paidLateNano: BigInt(row.paid_late),
    uncoveredNano: BigInt(row.uncovered),
  }))
}

/** The type of each column, and the value that a record has in it. */
const columns: Record<string, readonly [type: string, of: (record: ReservationRecord) => unknown]> = {
  workspace_id: ['uuid', (record) => record.workspaceId],
  id: ['uuid', (record) => record.id],
  lease_id: ['uuid', (record) => record.leaseId],
  amount: ['bigint', (record) => record.amountNano],
  resolution: ['text', (record) => record.resolution],
  paid_by_lease: ['bigint', (record) => record.paidByLeaseNano],
  paid_late: ['bigint', (record) => record.paidLateNano],
  uncovered: ['bigint', (record) => record.uncoveredNano],
  kind: ['text', ({ usage }) => usage?.kind ?? null],
  key_id: ['uuid', ({ usage }) => usage?.key_id ?? null],
  agent_id: ['uuid', ({ usage }) => usage?.agent_id ?? null],
  tts_characters: ['bigint', ({ usage }) => usage?.quantities.tts_characters ?? 0],
  session_seconds: ['double precision', ({ usage }) => usage?.quantities.session_seconds ?? 0],
  stt_seconds: ['double precision', ({ usage }) => usage?.quantities.stt_seconds ?? 0],
  llm_input_tokens: ['bigint', ({ usage }) => usage?.quantities.llm_input_tokens ?? 0],
  llm_output_tokens: ['bigint', ({ usage }) => usage?.quantities.llm_output_tokens ?? 0],
}

const insertSql = `insert into holds (${Object.keys(columns).join(', ')})
  select * from unnest(${Object.values(columns)
    .map(([type], index) => `$${index + 1}::${type}[]`)
    .join(', ')})`

/** Rejects when one of the reservations has ended before. */
export const insertEndedReservations = async (
  transaction: Queryable,
  records: readonly ReservationRecord[],
): Promise<void> => {
  if (records.length === 0) return
  await transaction.query(
    insertSql,
    Object.values(columns).map(([, of]) => records.map(of)),
  )
}
