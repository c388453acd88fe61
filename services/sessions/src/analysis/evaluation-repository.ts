import type { Evaluation } from '@parlance/contracts'
import type { Database } from '@parlance/store'

/** The criteria by which the conversations of Agents are judged. Rejects with `unavailable` while Postgres cannot be reached. */
export interface EvaluationRepository {
  find(workspaceId: string, agentId: string): Promise<Evaluation>
  put(workspaceId: string, agentId: string, evaluation: Evaluation): Promise<void>
}

export const createEvaluationRepository = (database: Database): EvaluationRepository => ({
  find: (workspaceId, agentId) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<{ evaluation: Evaluation }>(
        'select evaluation from evaluations where workspace_id = $1 and agent_id = $2',
        [workspaceId, agentId],
      )
      return row?.evaluation ?? { criteria: [], data: [] }
    }),

  put: (workspaceId, agentId, evaluation) =>
    database.inWorkspace(workspaceId, async (transaction) => {
      if (evaluation.criteria.length + evaluation.data.length === 0) {
        await transaction.query('delete from evaluations where workspace_id = $1 and agent_id = $2', [
          workspaceId,
          agentId,
        ])
        return
      }
      await transaction.query(
        `insert into evaluations (workspace_id, agent_id, evaluation) values ($1, $2, $3)
         on conflict (workspace_id, agent_id) do update set evaluation = excluded.evaluation`,
        [workspaceId, agentId, JSON.stringify(evaluation)],
      )
    }),
})
