import type { CreditReserver } from '@parlance/clients/credit'
import type { AgentConfig, SessionGrant, SessionMessage } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { Background } from '../call/conversation/conversation.js'
import type { LanguageModel } from '../llm/language-model.js'
import type { SessionRepository } from '../records/session-repository.js'
import { settleLateUsage } from '../records/settle-late-usage.js'
import type { Learning } from './learning.js'
import { createRecentWords } from './recent-words.js'

export interface LearnerOptions {
  readonly learning: Pick<Learning, 'learnFrom'>
  readonly sessions: Pick<SessionRepository, 'addLateUsage'>
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly logger: Logger
  readonly grant: SessionGrant
  readonly sessionId: string
  readonly requestId: string
  /** Of the published revision. */
  readonly config: AgentConfig
  readonly model: LanguageModel
  readonly background: Promise<Background>
}

/** Follows one conversation, to learn from it when it is over. */
export interface Learner {
  heard(message: SessionMessage): void
  /** It is over, and its record says so. Returns at once. */
  learn(): void
}

/** One that does nothing, where the revision has no memory or nobody knows who the user is. */
export const createLearner = (options: LearnerOptions): Learner => {
  const { learning, sessions, reserver, logger, grant, sessionId, requestId, config, model, background } = options
  const { workspace_id: workspaceId, agent_id: agentId, key_id: keyId, end_user_id: endUserId } = grant
  if (!config.memory_enabled || endUserId === null) return { heard() {}, learn() {} }

  const words = createRecentWords()
  return {
    heard: words.add,
    learn: () =>
      learning.learnFrom({
        workspaceId,
        agentId,
        endUserId,
        sessionId,
        requestId,
        background,
        messages: words.all(),
        storesTranscript: config.session_config.store_transcript,
        model: config.llm_provider === 'builtin' ? undefined : model,
        async pay(usage) {
          const counted = [
            sessions.addLateUsage(workspaceId, sessionId, usage),
            settleLateUsage({ reserver, workspaceId, keyId, agentId, usage }),
          ]
          for (const outcome of await Promise.allSettled(counted)) {
            if (outcome.status === 'fulfilled') continue
            logger.warn({ sessionId, err: outcome.reason }, 'What was used to learn from a conversation is not counted')
          }
        },
      }),
  }
}
