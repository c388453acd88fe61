import { addToWebhooks } from '@parlance/clients/outbox'
import type { Analysis, Evaluation, ExtractedValue, JudgedCriterion } from '@parlance/contracts'
import type { Database } from '@parlance/store'

/** A conversation that has ended, and its Agent's model. */
export interface JudgedSession {
  readonly workspaceId: string
  readonly sessionId: string
  readonly agentId: string
  readonly endUserId: string | null
  /** Of the API key of the conversation. These three are null in a conversation that began with an earlier version. */
  readonly keyId: string | null
  readonly llmProvider: string | null
  readonly llmModel: string | null
}

/** An analysis that this instance attempts. */
export interface DueAnalysis extends JudgedSession {
  readonly evaluation: Evaluation
  /** Attempts so far, including this one. */
  readonly attempts: number
}

export interface AnalysisResult {
  readonly criteria: readonly JudgedCriterion[]
  readonly data: readonly ExtractedValue[]
}

interface AnalysisRow {
  readonly status: Analysis['status']
  readonly result: Pick<Analysis, 'criteria' | 'data'> | null
  readonly error: string | null
  readonly analyzed_at: Date | null
}

const toAnalysis = ({ status, result, error, analyzed_at }: AnalysisRow): Analysis => ({
  status,
  criteria: result?.criteria ?? [],
  data: result?.data ?? [],
  error,
  analyzed_at: analyzed_at?.toISOString() ?? null,
})

/** The columns of a `JudgedSession`, besides its address. */
const judgedColumns = `s.agent_id as "agentId", s.end_user_id as "endUserId", s.key_id as "keyId",
  s.llm_provider as "llmProvider", s.llm_model as "llmModel"`

/** The rows of one attempt. */
const ofAttempt = `workspace_id = $1 and session_id = $2 and attempts = $3 and status = 'pending'`
const attemptOf = ({ workspaceId, sessionId, attempts }: DueAnalysis) => [workspaceId, sessionId, attempts]

export type AnalysisRepository = ReturnType<typeof createAnalysisRepository>

/**
 * How the conversations of Agents are judged, and the analyses of conversations, which are also the queue of due analyses. A
 * change of an attempt does nothing when another attempt has begun or the conversation was removed. Rejects with `unavailable`
 * while Postgres cannot be reached.
 */
export const createAnalysisRepository = (database: Database) => {
  const inAttempt = (due: DueAnalysis, statement: string, more: readonly unknown[] = []) =>
    database.inWorkspace(due.workspaceId, async (transaction) => {
      await transaction.query(`${statement} where ${ofAttempt}`, [...attemptOf(due), ...more])
    })

  return {
    findEvaluation: (workspaceId: string, agentId: string) =>
      database.inWorkspace(workspaceId, async (transaction) => {
        const [row] = await transaction.query<{ evaluation: Evaluation }>(
          'select evaluation from evaluations where workspace_id = $1 and agent_id = $2',
          [workspaceId, agentId],
        )
        return row?.evaluation ?? { criteria: [], data: [] }
      }),

    /** An evaluation without criteria and data is removed. */
    putEvaluation: (workspaceId: string, agentId: string, evaluation: Evaluation) =>
      database.inWorkspace(workspaceId, async (transaction) => {
        if (evaluation.criteria.length + evaluation.data.length === 0) {
          const statement = 'delete from evaluations where workspace_id = $1 and agent_id = $2'
          await transaction.query(statement, [workspaceId, agentId])
          return
        }
        await transaction.query(
          `insert into evaluations (workspace_id, agent_id, evaluation) values ($1, $2, $3)
           on conflict (workspace_id, agent_id) do update set evaluation = excluded.evaluation`,
          [workspaceId, agentId, JSON.stringify(evaluation)],
        )
      }),

    /** Null when there is none. */
    find: (workspaceId: string, sessionId: string) =>
      database.inWorkspace(workspaceId, async (transaction) => {
        const [row] = await transaction.query<AnalysisRow>(
          `select status, result, error, analyzed_at from analyses where workspace_id = $1 and session_id = $2`,
          [workspaceId, sessionId],
        )
        return row === undefined ? null : toAnalysis(row)
      }),

    /** Undefined when there is no such conversation, or it goes on. */
    findEnded: (workspaceId: string, sessionId: string) =>
      database.inWorkspace(workspaceId, async (transaction) => {
        const [row] = await transaction.query<Omit<JudgedSession, 'workspaceId' | 'sessionId'>>(
          `select ${judgedColumns} from sessions s
           where s.workspace_id = $1 and s.id = $2 and s.status in ('ended', 'failed')`,
          [workspaceId, sessionId],
        )
        return row && { workspaceId, sessionId, ...row }
      }),

    /** Begins an attempt of each due analysis, the oldest first. Another attempt is due if this one has not ended within `leaseMs`. */
    take: (limit: number, leaseMs: number) =>
      database.acrossWorkspaces((transaction) =>
        transaction.query<DueAnalysis>(
          `with due as (
             select workspace_id, session_id from analyses
             where status = 'pending' and next_attempt_at <= clock_timestamp()
             order by next_attempt_at limit $1
             for update skip locked
           )
           update analyses a
           set attempts = a.attempts + 1, next_attempt_at = clock_timestamp() + $2 * interval '1 ms'
           from due d join sessions s on s.workspace_id = d.workspace_id and s.id = d.session_id
           where a.workspace_id = d.workspace_id and a.session_id = d.session_id
           returning a.workspace_id as "workspaceId", a.session_id as "sessionId", a.evaluation, a.attempts,
             ${judgedColumns}`,
          [limit, leaseMs],
        ),
      ),

    /** Ends an attempt: the next one is due after `delayMs`. */
    postpone: (due: DueAnalysis, delayMs: number) =>
      inAttempt(due, `update analyses set next_attempt_at = clock_timestamp() + $4 * interval '1 ms'`, [delayMs]),

    /** Ends an attempt without counting it. */
    giveBack: (due: DueAnalysis) =>
      inAttempt(due, 'update analyses set attempts = attempts - 1, next_attempt_at = clock_timestamp()'),

    /** Removes an analysis of a conversation in which there is nothing to analyze. */
    remove: (due: DueAnalysis) => inAttempt(due, 'delete from analyses'),

    /** Stores the result, or why there is none, and sends the event to webhooks, in one transaction. */
    finish: (due: DueAnalysis, outcome: AnalysisResult | { readonly error: string }) =>
      database.inWorkspace(due.workspaceId, async (transaction) => {
        const failed = 'error' in outcome
        const [row] = await transaction.query<AnalysisRow>(
          `update analyses set status = $4, result = $5, error = $6, analyzed_at = clock_timestamp()
           where ${ofAttempt}
           returning status, result, error, analyzed_at`,
          [
            ...attemptOf(due),
            failed ? 'failed' : 'succeeded',
            failed ? null : JSON.stringify(outcome),
            failed ? outcome.error : null,
          ],
        )
        if (row === undefined) return
        const { workspaceId, sessionId: session_id, agentId: agent_id, endUserId: end_user_id } = due
        const data = { session_id, agent_id, end_user_id, ...toAnalysis(row) }
        await addToWebhooks(transaction, workspaceId, { type: 'agent_session.analyzed', data })
      }),
  }
}
