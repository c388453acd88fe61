import type { AgentConfig, SessionGrant, SessionMessage } from '@parlance/contracts'
import type { Background } from '../conversation/conversation.js'
import type { LanguageModel } from '../llm/language-model.js'
import type { SettleLateUsage } from '../records/settle-late-usage.js'
import type { MemoryExtractions } from './memory-extractions.js'
import { createRecentMessages } from './recent-messages.js'

export interface MemoryExtractorOptions {
  readonly extractions: Pick<MemoryExtractions, 'start'>
  readonly settleLateUsage: SettleLateUsage
  readonly grant: SessionGrant
  readonly sessionId: string
  readonly requestId: string
  /** The config of the published revision. */
  readonly config: AgentConfig
  readonly model: LanguageModel
  readonly background: Promise<Background>
}

/** Collects the messages of one conversation, and extracts facts about the user from them when it has ended. */
export interface MemoryExtractor {
  add(message: SessionMessage): void
  /** Called when the record of the conversation has ended. Returns at once. */
  extract(): void
}

/** Creates an extractor that does nothing when the revision has no memory, or the conversation has no end user. */
export const createMemoryExtractor = (options: MemoryExtractorOptions): MemoryExtractor => {
  const { extractions, settleLateUsage, grant, sessionId, requestId, config, model, background } = options
  const { workspace_id: workspaceId, agent_id: agentId, key_id: keyId, end_user_id: endUserId } = grant
  if (!config.memory_enabled || endUserId === null) return { add() {}, extract() {} }

  const messages = createRecentMessages()
  return {
    add: messages.add,
    extract: () =>
      extractions.start({
        workspaceId,
        agentId,
        endUserId,
        sessionId,
        requestId,
        background,
        messages: messages.all(),
        storesTranscript: config.session_config.store_transcript,
        model: config.llm_provider === 'builtin' ? undefined : model,
        settle: (usage) => settleLateUsage({ workspaceId, sessionId, keyId, agentId, usage }),
      }),
  }
}
