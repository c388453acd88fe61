import type { Client } from '@parlance/bus'
import type { knowledgeContract, memoryContract } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { Background, FindKnowledge } from '../conversation/conversation.js'
import type { ReadAppointments } from '../tools/calendar/appointments.js'
import type { OpenToolsOptions } from '../tools/tool.js'

interface BackgroundOptions {
  readonly memory: Pick<Client<typeof memoryContract>, 'recall'>
  readonly readAppointments: ReadAppointments
  readonly logger: Logger
}

/** Memories are part of every request to the model. */
const tokenBudget = 800
/** A later background would miss the first turns. */
const recallMs = 2_000

export const createFetchBackground = ({ memory, readAppointments, logger }: BackgroundOptions) => {
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
      const { facts } = await memory.recall(request, { context: { requestId }, deadlineMs: recallMs })
      return facts.map(({ text }) => text)
    } catch (err) {
      logger.warn({ requestId, sessionId, err }, 'A conversation begins without the memories of its user')
      return []
    }
  }

  /**
   * Fetches the facts about the user that the published revision may use. Never rejects: data that does not arrive in time is
   * omitted.
   */
  return async (conversation: OpenToolsOptions, metadata: Background['metadata']): Promise<Background> => {
    const [memories, appointments] = await Promise.all([recall(conversation), readAppointments(conversation)])
    return { memories, appointments, metadata }
  }
}

/** The user waits for it. */
const searchMs = 1_000
const maxCharacters = 2_000

/** The passages of the files of a conversation's Agent; undefined for an Agent without files. */
export const createOpenKnowledge =
  (knowledge: Pick<Client<typeof knowledgeContract>, 'search'>, logger: Logger) =>
  ({ workspaceId, agentId, sessionId, requestId, config }: OpenToolsOptions): FindKnowledge | undefined => {
    const { knowledge_files: file_ids } = config
    if (file_ids.length === 0) return undefined
    return async (text, signal) => {
      const request = { workspace_id: workspaceId, agent_id: agentId, file_ids, text: text.slice(0, maxCharacters) }
      try {
        return (await knowledge.search(request, { context: { requestId }, deadlineMs: searchMs, signal })).passages
      } catch (err) {
        if (!signal.aborted)
          logger.warn({ requestId, sessionId, err }, 'A reply has no passages of the files of its Agent')
        return []
      }
    }
  }
