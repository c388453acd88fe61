/**
 * Extracts facts about users from conversations that have ended.
 *
 * - Only a process that stops waits for extractions, and only for a limited time.
 * - Each extraction has a time limit. A failed one is logged and stores nothing.
 */
import { createPendingWork, settlesWithin } from '@parlance/async'
import type { Client } from '@parlance/bus'
import type { memoryContract, SessionMessage } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { Background } from '../conversation/conversation.js'
import type { LanguageModel, ReplyUsage } from '../llm/language-model.js'
import { recentMessages } from '../llm/prompt-messages.js'
import { factsByModel } from './facts-by-model.js'
import { factsByRules } from './facts-by-rules.js'
import { storableFacts } from './storable-facts.js'

/** A conversation that has ended, of an Agent with memory and a known end user. */
export interface EndedConversation {
  readonly workspaceId: string
  readonly agentId: string
  readonly endUserId: string
  readonly sessionId: string
  readonly requestId: string
  readonly messages: readonly SessionMessage[]
  /** Whether the record keeps the messages, so that facts may name the messages that they come from. */
  readonly storesTranscript: boolean
  /** The model that extracts facts; undefined to extract them by rules. */
  readonly model: LanguageModel | undefined
  /** The facts that the Agent knew in the conversation. */
  readonly background: Promise<Pick<Background, 'memories'>>
  /** Counts the usage of the extraction. Called once, and not when there was none. Never rejects. */
  settle(usage: ReplyUsage): Promise<void>
}

/** The latest messages of a conversation, of which facts are extracted. */
const historyLimits = { messages: 200, characters: 24_000 }
const extractionTimeoutMs = 15_000
const storeTimeoutMs = 5_000
/** How long an extraction may take to end after the signal to stop. */
const stopTimeoutMs = 250

interface MemoryExtractionsOptions {
  readonly memory: Pick<Client<typeof memoryContract>, 'remember'>
  readonly logger: Logger
}

export const createMemoryExtractions = ({ memory, logger }: MemoryExtractionsOptions) => {
  const running = createPendingWork()
  const stop = new AbortController()

  const factsOf = async (conversation: EndedConversation, signal: AbortSignal) => {
    const { model, messages, background } = conversation
    if (model === undefined) return factsByRules(messages)
    const { memories: known } = await background
    const usage = { llm_input_tokens: 0, llm_output_tokens: 0 }
    try {
      return await factsByModel({ model, messages, known, signal, used: (given) => Object.assign(usage, given) })
    } finally {
      if (usage.llm_input_tokens + usage.llm_output_tokens > 0) await conversation.settle(usage)
    }
  }

  const extract = async (conversation: EndedConversation): Promise<void> => {
    const { workspaceId, agentId, endUserId, sessionId, requestId, storesTranscript } = conversation
    const messages = recentMessages(conversation.messages, historyLimits)
    if (!messages.some(({ role }) => role === 'user')) return
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(extractionTimeoutMs)])
    const facts = storableFacts(await factsOf({ ...conversation, messages }, signal))
    if (facts.length === 0) return
    await memory.remember(
      {
        workspace_id: workspaceId,
        end_user_id: endUserId,
        agent_id: agentId,
        session_id: sessionId,
        facts: facts.map(({ text, message }) => ({
          text,
          message_id: storesTranscript ? message.id : null,
          said_at: message.created_at,
        })),
      },
      { context: { requestId }, deadlineMs: storeTimeoutMs, signal },
    )
  }

  return {
    /** Starts the extraction of a conversation. */
    start(conversation: EndedConversation) {
      const { requestId, sessionId } = conversation
      void extract(conversation)
        .catch((err: unknown) =>
          logger.warn({ requestId, sessionId, err }, 'The memory extraction of a conversation failed'),
        )
        .finally(running.begin())
    },
    /** Resolves when no extraction runs. Those that still run after `timeoutMs` are stopped. */
    async finish(timeoutMs: number) {
      const all = running.allDone()
      await settlesWithin(all, timeoutMs)
      stop.abort(new Error('the process stops'))
      await settlesWithin(all, stopTimeoutMs)
    },
  }
}
