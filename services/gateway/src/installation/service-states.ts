import type { CallOptions } from '@parlance/bus'
import { ServiceError } from '@parlance/contracts'
import type { RouteDependencies } from '../routes/route.js'

/** A service that the gateway calls, and whether it responds. */
export interface ServiceState {
  readonly name: string
  readonly isUp: boolean
}

type Services = Pick<
  RouteDependencies,
  'agents' | 'auth' | 'catalog' | 'credit' | 'memory' | 'sessions' | 'transcription' | 'webhooks'
>

type Read = (services: Services, workspaceId: string, options: CallOptions) => Promise<unknown>

/** An end user that does not exist in any workspace. */
const unknownUser = '00000000-0000-4000-8000-000000000000'

/** A cheap read of each service. */
const reads: Readonly<Record<string, Read>> = {
  agents: ({ agents }, workspace_id, options) => agents.listAgents({ workspace_id, limit: 1 }, options),
  auth: ({ auth }, workspace_id, options) => auth.getWorkspace({ workspace_id }, options),
  catalog: ({ catalog }, _, options) => catalog.listEngines({}, options),
  'end-users': ({ memory }, workspace_id, options) =>
    memory.listMemories({ workspace_id, end_user_id: unknownUser, limit: 1 }, options),
  sessions: ({ sessions }, workspace_id, options) => sessions.listSessions({ workspace_id, limit: 1 }, options),
  tokens: ({ credit }, workspace_id, options) => credit.getBalance({ workspace_id }, options),
  webhooks: ({ webhooks }, workspace_id, options) => webhooks.listWebhooks({ workspace_id, limit: 1 }, options),
}

const answers = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call
    return true
  } catch (error) {
    // Any other error is a response too.
    return error instanceof ServiceError && !['unavailable', 'upstream_timeout'].includes(error.code)
  }
}

const deadlineMs = 2_000

/** Calls each service, and resolves when the last one has responded or its call has timed out. */
export const findServiceStates = (
  services: Services,
  workspaceId: string,
  options: Pick<CallOptions, 'context'>,
): Promise<ServiceState[]> =>
  Promise.all(
    Object.entries(reads).map(async ([name, read]) => ({
      name,
      isUp: await answers(read(services, workspaceId, { ...options, deadlineMs })),
    })),
  )
