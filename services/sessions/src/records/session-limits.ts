import { ServiceError } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import { isLive } from './session-row.js'

/** How many conversations may be live at once. */
export interface SessionLimits {
  /** For all Agents of the workspace together; 0 for no limit. */
  readonly ofWorkspace: number
  /** For one Agent; null for no limit. */
  readonly ofAgent: number | null
}

const limited = (owner: string, limit: number) =>
  new ServiceError(
    'concurrency_limited',
    `${owner} has ${limit} live conversations, which is the limit. Try again when one has ended.`,
  )

/**
 * Rejects with `concurrency_limited` if one more conversation would exceed a limit. The lock of the workspace is held until
 * the transaction ends, so that no two transactions count before either has inserted its row.
 */
export const checkLimits = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  { ofWorkspace, ofAgent }: SessionLimits,
): Promise<void> => {
  if (ofWorkspace === 0 && ofAgent === null) return
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [workspaceId])
  const [live] = await transaction.query<{ of_workspace: number; of_agent: number }>(
    `select count(*)::int as of_workspace, count(*) filter (where agent_id = $2)::int as of_agent
     from sessions where workspace_id = $1 and ${isLive}`,
    [workspaceId, agentId],
  )
  if (ofAgent !== null && live!.of_agent >= ofAgent) throw limited('The Agent', ofAgent)
  if (ofWorkspace > 0 && live!.of_workspace >= ofWorkspace) throw limited('The workspace', ofWorkspace)
}
