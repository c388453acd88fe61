import type { CallContext, Client } from '@parlance/bus'
import type { AgentConfig, memoryContract } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ReadAppointments } from '../calendar/appointments.js'
import type { Background } from '../conversation/conversation.js'

export interface BackgroundOptions {
  readonly memory: Pick<Client<typeof memoryContract>, 'recall'>
  readonly readAppointments: ReadAppointments
  readonly logger: Logger
}

export interface BackgroundRequest {
  readonly workspaceId: string
  readonly agentId: string
  readonly sessionId: string
  /** Of nobody nothing is known. */
  readonly endUserId: string | null
  /** Of the user: an IANA name. */
  readonly timeZone: string
  readonly config: AgentConfig
  readonly metadata: Background['metadata']
  readonly context: CallContext
}

/** Asks what the published revision may know. Never rejects: what cannot be told in time is left out. */
export type FetchBackground = (request: BackgroundRequest) => Promise<Background>

/** What is remembered is read with every turn. */
const tokenBudget = 800
/** Later it would change what the model was told in the turns before. */
const deadlineMs = 2_000

export const createFetchBackground = ({ memory, readAppointments, logger }: BackgroundOptions): FetchBackground => {
  const recall = async (request: BackgroundRequest): Promise<readonly string[]> => {
    const { workspaceId, agentId, endUserId, config, context } = request
    if (!config.memory_enabled || endUserId === null) return []
    const learner = { workspace_id: workspaceId, agent_id: agentId, end_user_id: endUserId }
    try {
      const { facts } = await memory.recall({ ...learner, token_budget: tokenBudget }, { context, deadlineMs })
      return facts.map(({ text }) => text)
    } catch (err) {
      const { requestId } = context
      logger.warn({ requestId, component: 'memory', err }, 'A conversation begins without what is known of its user')
      return []
    }
  }

  return async (request) => {
    const [memories, appointments] = await Promise.all([
      recall(request),
      readAppointments({ ...request, requestId: request.context.requestId }),
    ])
    return { memories, appointments, metadata: request.metadata }
  }
}
