import type { Client } from '@parlance/bus'
import type { memoryContract } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { Background } from '../conversation/conversation.js'
import type { ReadAppointments } from '../tools/calendar/appointments.js'
import type { OpenToolsOptions } from '../tools/tool.js'

export interface BackgroundOptions {
  readonly memory: Pick<Client<typeof memoryContract>, 'recall'>
  readonly readAppointments: ReadAppointments
  readonly logger: Logger
}

/**
 * Fetches the facts about the user that the published revision may use. Never rejects: data that does not arrive in time is
 * omitted.
 */
export type FetchBackground = (conversation: OpenToolsOptions, metadata: Background['metadata']) => Promise<Background>

/** Memories are part of every request to the model. */
const tokenBudget = 800
/** A later background would miss the first turns. */
const deadlineMs = 2_000

export const createFetchBackground = (options: BackgroundOptions): FetchBackground => {
  const { memory, readAppointments, logger } = options

  const recall = async (conversation: OpenToolsOptions): Promise<readonly string[]> => {
    const { workspaceId, agentId, endUserId, sessionId, requestId, config } = conversation
    if (!config.memory_enabled || endUserId === null) return []
    try {
      const request = {
        workspace_id: workspaceId,
        end_user_id: endUserId,
        agent_id: agentId,
        token_budget: tokenBudget,
      }
      const { facts } = await memory.recall(request, { context: { requestId }, deadlineMs })
      return facts.map(({ text }) => text)
    } catch (err) {
      logger.warn({ requestId, sessionId, err }, 'A conversation begins without the memories of its user')
      return []
    }
  }

  return async (conversation, metadata) => {
    const [memories, appointments] = await Promise.all([recall(conversation), readAppointments(conversation)])
    return { memories, appointments, metadata }
  }
}
