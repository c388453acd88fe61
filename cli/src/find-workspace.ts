import { ServiceError, type Workspace } from '@parlance/contracts'
import type { OperatorCalls } from './operator-calls.js'

/**
 * Reads a workspace. Commands that need only the id call it too, so that a wrong id is an error before anything is done.
 * Rejects with `not_found`.
 */
export const findWorkspace = async ({ auth }: OperatorCalls, id: string): Promise<Workspace> => {
  try {
    return await auth.getWorkspace({ workspace_id: id })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError(
      'not_found',
      `There is no workspace ${id}: \`parlance workspace list\` shows all workspaces.`,
    )
  }
}
