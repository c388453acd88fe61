import type { Client } from '@parlance/bus'
import type { knowledgeContract } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { FindKnowledge } from '../conversation/conversation.js'
import type { OpenToolsOptions } from '../tools/tool.js'

/** The user waits for it. */
const deadlineMs = 1_000
const maxCharacters = 2_000

/** Passages of the files of a conversation's Agent; undefined for an Agent without files. */
export type OpenKnowledge = (conversation: OpenToolsOptions) => FindKnowledge | undefined

export const createOpenKnowledge =
  (knowledge: Pick<Client<typeof knowledgeContract>, 'search'>, logger: Pick<Logger, 'warn'>): OpenKnowledge =>
  ({ workspaceId, agentId, sessionId, requestId, config }) => {
    const { knowledge_files: file_ids } = config
    if (file_ids.length === 0) return undefined
    return async (text, signal) => {
      const request = { workspace_id: workspaceId, agent_id: agentId, file_ids, text: text.slice(0, maxCharacters) }
      try {
        return (await knowledge.search(request, { context: { requestId }, deadlineMs, signal })).passages
      } catch (err) {
        if (!signal.aborted)
          logger.warn({ requestId, sessionId, err }, 'A reply has no passages of the files of its Agent')
        return []
      }
    }
  }
