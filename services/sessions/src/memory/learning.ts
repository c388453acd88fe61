/**
 * What Agents learn of their users when conversations are over.
 *
 * - Nobody waits for it but a process that is about to stop, and that not for longer than it has.
 * - It takes a bounded time; what fails leaves a line in the log and nothing remembered.
 */
import { settlesWithin } from '@parlance/async'
import type { Client } from '@parlance/bus'
import type { memoryContract, SessionMessage, SessionUsage } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { Background } from '../call/conversation/conversation.js'
import type { LanguageModel } from '../llm/language-model.js'
import { worthKeeping } from './extracted-fact.js'
import { factsByModel } from './facts-by-model.js'
import { factsByRules } from './facts-by-rules.js'

/** A conversation that is over, of an Agent that remembers and a user who is known. */
export interface EndedConversation {
  readonly workspaceId: string
  readonly agentId: string
  readonly endUserId: string
  readonly sessionId: string
  readonly requestId: string
  readonly messages: readonly SessionMessage[]
  /** Whether there is a record of the messages that facts come from. */
  readonly storesTranscript: boolean
  /** Undefined for the rules that need none. */
  readonly model: LanguageModel | undefined
  /** What the Agent knew in it. */
  readonly background: Promise<Pick<Background, 'memories'>>
  /** What it took to learn from it: once, with all of it, where it took anything. Never rejects. */
  pay(usage: Pick<SessionUsage, 'llm_input_tokens' | 'llm_output_tokens'>): Promise<void>
}

export interface Learning {
  learnFrom(conversation: EndedConversation): void
  /** Resolves when nothing is being learnt any more, at the latest after so many ms: what is left by then is given up. */
  finish(withinMs: number): Promise<void>
}

const learnWithinMs = 15_000
const rememberWithinMs = 5_000
/** Whoever is told to stop does so at once, or never. */
const giveUpWithinMs = 250

export const createLearning = ({
  memory,
  logger,
}: {
  readonly memory: Pick<Client<typeof memoryContract>, 'remember'>
  readonly logger: Logger
}): Learning => {
  const running = new Set<Promise<void>>()
  const stop = new AbortController()

  const draw = async (conversation: EndedConversation, signal: AbortSignal) => {
    const { model, messages, background } = conversation
    if (model === undefined) return factsByRules(messages)
    const { memories: known } = await background
    const usage = { llm_input_tokens: 0, llm_output_tokens: 0 }
    try {
      return await factsByModel({ model, messages, known, signal, used: (given) => Object.assign(usage, given) })
    } finally {
      if (usage.llm_input_tokens + usage.llm_output_tokens > 0) await conversation.pay(usage)
    }
  }

  const learn = async (conversation: EndedConversation): Promise<void> => {
    const { workspaceId, agentId, endUserId, sessionId, requestId, messages, storesTranscript } = conversation
    if (!messages.some(({ role }) => role === 'user')) return
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(learnWithinMs)])
    const facts = worthKeeping(await draw(conversation, signal))
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
      { context: { requestId }, deadlineMs: rememberWithinMs, signal },
    )
  }

  return {
    learnFrom(conversation) {
      const { requestId, sessionId } = conversation
      const work = learn(conversation).catch((err: unknown) =>
        logger.warn({ requestId, sessionId, err }, 'Nothing could be learnt from a conversation'),
      )
      running.add(work)
      void work.then(() => running.delete(work))
    },
    async finish(withinMs) {
      const all = Promise.all(running)
      await settlesWithin(all, withinMs)
      stop.abort(new Error('the process stops'))
      await settlesWithin(all, giveUpWithinMs)
    },
  }
}
