import { printCredit } from '@parlance/clients/credit'
import type { UsageGrouping, usageReportSchema } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import type { z } from 'zod'

type UsageReport = z.input<typeof usageReportSchema>

const keyOf: Record<UsageGrouping, string> = {
  day: "to_char(resolved_at at time zone 'UTC', 'YYYY-MM-DD')",
  agent: 'agent_id::text',
  api_key: 'key_id::text',
  kind: 'kind',
}

/** The maximum number of groups with a separate line. */
const maxNamedGroups = 1_000

interface Row {
  key: string | null
  credit_used: string
  operations: string
  tts_characters: string
  session_seconds: number
  stt_seconds: number
  llm_input_tokens: string
  llm_output_tokens: string
}

interface UsageQuery {
  workspaceId: string
  /** Both as ISO 8601; `from` is inclusive, `to` is exclusive. */
  from: string
  to: string
  groupBy: UsageGrouping
}

/**
 * The usage that was settled in this period, in the order of the keys. Groups beyond the 1,000 of the highest cost are
 * summed in a last one, with the key `other`, so that a report fits into a message.
 */
export const readUsage = async (
  database: Database,
  { workspaceId, from, to, groupBy }: UsageQuery,
): Promise<UsageReport> => {
  const rows = await database.inWorkspace(workspaceId, (transaction) =>
    transaction.query<Row>(
      `with groups as (
         select ${keyOf[groupBy]} as key, sum(paid_by_lease + paid_late) as credit_used, count(*) as operations,
           sum(tts_characters) as tts_characters,
           sum(session_seconds) as session_seconds, sum(stt_seconds) as stt_seconds,
           sum(llm_input_tokens) as llm_input_tokens, sum(llm_output_tokens) as llm_output_tokens
         from holds
         where workspace_id = $1 and resolution = 'settled' and resolved_at >= $2 and resolved_at < $3
         group by 1
       ), ranked as (select *, row_number() over (order by credit_used desc, key) > ${maxNamedGroups} as is_other from groups)
       select case when is_other then 'other' else key end as key, sum(credit_used) as credit_used,
         sum(operations) as operations, sum(tts_characters) as tts_characters,
         sum(session_seconds) as session_seconds, sum(stt_seconds) as stt_seconds,
         sum(llm_input_tokens) as llm_input_tokens, sum(llm_output_tokens) as llm_output_tokens
       from ranked group by is_other, 1 order by is_other, 1`,
      [workspaceId, from, to],
    ),
  )
  const usage = rows.map((row) => ({
    key: row.key,
    credit_used: printCredit(BigInt(row.credit_used)),
    operations: Number(row.operations),
    tts_characters: Number(row.tts_characters),
    session_seconds: row.session_seconds,
    stt_seconds: row.stt_seconds,
    llm_input_tokens: Number(row.llm_input_tokens),
    llm_output_tokens: Number(row.llm_output_tokens),
  }))
  return { from, to, group_by: groupBy, usage }
}

/** What was settled for a key since midnight in UTC, in billionths of a credit. */
export const creditUsedToday = async (database: Database, workspaceId: string, keyId: string): Promise<bigint> => {
  const [row] = await database.inWorkspace(workspaceId, (transaction) =>
    transaction.query<{ used: string }>(
      `select coalesce(sum(paid_by_lease + paid_late), 0) as used from holds
       where workspace_id = $1 and key_id = $2 and resolution = 'settled'
         and resolved_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`,
      [workspaceId, keyId],
    ),
  )
  return BigInt(row!.used)
}
