import { ServiceError, type Workspace } from '@parlance/contracts'
import type { OperatorCalls } from './operator-calls.js'

/** Also for commands that need only its id: a wrong one is told, before anything is done with it. */
export const findWorkspace = async ({ auth }: OperatorCalls, id: string): Promise<Workspace> => {
  try {
    return await auth.getWorkspace({ workspace_id: id })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError(
      'not_found',
      `There is no workspace ${id}: \`parlance workspace list\` shows those there are.`,
    )
  }
}
