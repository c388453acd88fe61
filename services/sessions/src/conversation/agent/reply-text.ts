/**
 * The text of the agent's reply: the model is called, the tools that it calls are run, and the model is called again with the
 * results, until it calls no tool.
 *
 * - Text is yielded as it arrives. The calls of one reply run concurrently.
 * - No tool is called before the reply is committed: until then it may be discarded.
 * - A tool may end the turn: then the model is not called again.
 * - A turn has at most three steps with tools; after the last the model may only speak.
 * - A model that may only speak and returns no text has failed: `upstream_error`, never silence.
 * - A reply that breaks off is `upstream_error`, never a short text. One that is aborted is counted by its characters.
 */
import { randomUUID } from 'node:crypto'
import { settlesWithin } from '@parlance/async'
import {
  type AgentConfig,
  type KnowledgePassage,
  ServiceError,
  type SessionToolCall,
  type SessionUsage,
} from '@parlance/contracts'
import type { ChatMessage, ReplyChunk, ReplyRequest, ToolCall, ToolDescription } from '../../llm/language-model.js'
import { type PromptConfig, systemPrompt } from '../../llm/prompt.js'
import { promptCharacters } from '../../llm/prompt-messages.js'
import type { ToolResult } from '../../tools/tool.js'
import { cutOff, type ToolRunner } from '../../tools/tool-runner.js'
import type { Background, ConversationOptions } from '../conversation.js'
import type { TurnSteps } from './turn-steps.js'

/** Text, or `pause` when no more text may arrive for some time: the text so far can be spoken. */
export type AgentText = Extract<ReplyChunk, { event: 'text' }> | { readonly event: 'pause' }

export interface ReplyTextsOptions
  extends Pick<
    ConversationOptions,
    | 'background'
    | 'config'
    | 'fillsSilence'
    | 'findKnowledge'
    | 'journal'
    | 'model'
    | 'playback'
    | 'timeZone'
    | 'voiceLanguage'
  > {
  readonly runner: ToolRunner
  /** The latest context that the page reported. */
  context(): string
}

/** A turn that answers the last of `messages`, which is the user's. */
interface AnsweringTurn {
  readonly turn: number
  readonly messages: readonly ChatMessage[]
  /** The user's message. Read after the commit, which may have corrected its punctuation. */
  userText(): string
  /** The message that the reply becomes. */
  readonly messageId: string
  /** The calls of tools are added to it. */
  readonly steps: TurnSteps
}

const maxSteps = 3
/** How long tools may take in a turn before the filler. */
const fillerAfterMs = 1_500
/** Playback with less than this left is over. */
const nothingMs = 1

const space = { event: 'text', text: ' ' } as const
const pause: AgentText = { event: 'pause' }

/** The texts of the replies of one Agent: the model with its prompt, its tools and what is known so far. */
export const createReplyTexts = (options: ReplyTextsOptions) => {
  const { config, findKnowledge, journal, model, playback, runner, timeZone, context } = options
  const filler = options.fillsSilence === false ? undefined : fillerIn(options.voiceLanguage)
  let background = noBackground
  void options.background.then((fetched) => {
    background = fetched
  })

  /** Resolves to whether the work is still in progress when `limitMs` have passed and all audio was played. */
  const leavesSilence = async (work: Promise<unknown>, limitMs: number): Promise<boolean> =>
    !(await settlesWithin(work, limitMs)) &&
    (await Promise.race([work.then(() => false), playback.below(nothingMs).then(() => true)]))

  async function* replyText(
    { turn, messages, userText, messageId, steps }: AnsweringTurn,
    signal: AbortSignal,
    committed: Promise<void>,
  ): AsyncGenerator<AgentText> {
    const playedText = playedBeforeLast(messages)
    const passages = (await findKnowledge?.(userText(), signal)) ?? []
    signal.throwIfAborted()
    steps.found(passages)
    let hasSpoken = false
    let hasFilled = filler === undefined
    let waitedMs = 0

    /** Tokens of a reply that is discarded are not counted. */
    const used = (usage: Partial<SessionUsage>): void =>
      void committed.then(
        () => journal.used(usage),
        () => undefined,
      )

    for (;;) {
      const mayCall = steps.count() < maxSteps && runner.tools.length > 0
      const request = composeReplyRequest({
        config,
        background,
        timeZone,
        messages,
        passages,
        mayCall,
        context: context(),
        steps: steps.messages(),
        tools: runner.tools,
      })
      const calls: ToolCall[] = []
      let text = ''
      let done = false
      const onAborted = () => {
        if (!done && model.countsTokens === true) used(estimateUsage(request, text.length))
      }
      signal.addEventListener('abort', onAborted, { once: true })
      try {
        for await (const chunk of model.reply(request, signal)) {
          if (chunk.event === 'text') {
            if (chunk.text === '') continue
            if (text === '' && hasSpoken) {
              text = space.text
              yield space
            }
            text += chunk.text
            yield chunk
          } else if (chunk.event === 'call') {
            calls.push(chunk.call)
          } else {
            done = true
            used({ llm_input_tokens: chunk.inputTokens, llm_output_tokens: chunk.outputTokens })
          }
        }
      } finally {
        signal.removeEventListener('abort', onAborted)
      }
      if (!done) {
        throw new ServiceError('upstream_error', 'The language model stopped in the middle of its reply. Try again.')
      }
      if (!mayCall && text.trim() === '') {
        throw new ServiceError('upstream_error', 'The language model could only speak, and said nothing. Try again.')
      }
      if (!mayCall || calls.length === 0) return

      const isSilent = text.trim() === ''
      hasSpoken ||= !isSilent
      if (!isSilent) yield pause
      await committed
      const step = steps.begin(text, calls)
      const beganMs = performance.now()
      const work = Promise.all(
        calls.map(async (call, index): Promise<ToolResult> => {
          const record = recordOf(call, messageId)
          try {
            const said = { userText: userText(), playedText }
            const result = await runner.run(call, { callId: record.id, turn, ...said, signal })
            journal.toolCall(record.ended(result.isError ? 'failed' : 'succeeded', result.text))
            step.answer(index, result)
            return result
          } catch (error) {
            journal.toolCall(record.ended('interrupted', null))
            throw error
          }
        }),
      )
      if (isSilent && !hasFilled && (await leavesSilence(work, fillerAfterMs - waitedMs))) {
        const words = hasSpoken ? ` ${filler}` : filler!
        hasFilled = true
        hasSpoken = true
        step.add(words)
        yield { event: 'text', text: words }
        yield pause
      }
      const results = await work
      const last = results.find(({ endsTurn }) => endsTurn)
      if (last !== undefined) {
        if (hasSpoken || last.spoken === undefined) return
        step.add(last.spoken)
        yield { event: 'text', text: last.spoken }
        return
      }
      waitedMs += performance.now() - beganMs
    }
  }

  return (turn: AnsweringTurn) => {
    const basis = { background, context: context() }
    return {
      text: (signal: AbortSignal, committed: Promise<void>) => replyText(turn, signal, committed),
      /** Whether what it is based on besides the messages is still the same. */
      isCurrent: () => basis.background === background && basis.context === context(),
    }
  }
}

/** The agent's words between the user's last message and the one before. */
const playedBeforeLast = (messages: readonly ChatMessage[]): string => {
  const isUsers = ({ role }: ChatMessage) => role === 'user'
  const last = messages.findLastIndex(isUsers)
  const before = messages.slice(0, Math.max(0, last)).findLastIndex(isUsers)
  return messages
    .slice(before + 1, Math.max(0, last))
    .map(({ text }) => text)
    .join(' ')
}

/** Results are bounded by the runner. */
const maxNameCharacters = 128
const maxArgumentCharacters = 8_000

/** Short arguments as they are; of longer ones the beginning of their JSON text. */
const boundedArguments = (args: unknown): unknown => {
  const text = JSON.stringify(args) ?? 'null'
  return text.length <= maxArgumentCharacters ? JSON.parse(text) : cutOff(text, maxArgumentCharacters)
}

/** The record of a call that begins now. It belongs to this message of the agent. */
const recordOf = (call: ToolCall, messageId: string) => {
  const [id, startedAt, beganMs] = [randomUUID(), new Date(), performance.now()]
  return {
    id,
    ended: (outcome: SessionToolCall['outcome'], result: string | null): SessionToolCall => ({
      id,
      message_id: messageId,
      name: cutOff(call.name, maxNameCharacters),
      arguments: boundedArguments(call.arguments),
      result,
      outcome,
      started_at: startedAt.toISOString(),
      duration_ms: performance.now() - beganMs,
    }),
  }
}

/** Roughly, in English. */
const charactersPerToken = 4

/** The tokens of a reply that was aborted, estimated from the characters of the request and of the text that came. */
const estimateUsage = (request: ReplyRequest, replyCharacters: number): Partial<SessionUsage> => {
  const { system, messages, tools } = request
  const toolCharacters = JSON.stringify(
    tools.map(({ name, description, parameters }) => [name, description, parameters]),
  ).length
  const requestCharacters = system.length + promptCharacters(messages) + toolCharacters
  return {
    llm_input_tokens: Math.ceil(requestCharacters / charactersPerToken),
    llm_output_tokens: Math.ceil(replyCharacters / charactersPerToken),
  }
}

interface ReplyRequestOptions {
  readonly config: PromptConfig & Pick<AgentConfig, 'llm_config'>
  /** `noBackground` until it is fetched: no turn waits for it. */
  readonly background: Background
  readonly timeZone: string
  /** The context that the page reported; may be empty. */
  readonly context: string
  /** What was found in the files of the Agent for the last message. */
  readonly passages: readonly KnowledgePassage[]
  /** Oldest first. */
  readonly messages: readonly ChatMessage[]
  /** The agent's tool calls since the last message, with their results. */
  readonly steps: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
  readonly mayCall: boolean
}

/** Nothing is known of the user. */
export const noBackground: Background = { memories: [], appointments: [], metadata: {} }

/**
 * The request for the next reply. The situation and the passages are placed before the last message, so that the beginning of the
 * request stays the same from turn to turn and can be cached.
 */
const composeReplyRequest = (options: ReplyRequestOptions): ReplyRequest => {
  const { config, background, timeZone, context, passages, messages, steps, tools, mayCall } = options
  const found = passages.map(({ title, text }) => `${title}:\n${text}`).join('\n\n')
  const situation = [
    { role: 'context', text: context },
    { role: 'knowledge', text: found },
  ] as const
  const { temperature, max_output_tokens, timeout_ms } = config.llm_config
  return {
    system: systemPrompt(config, background, new Date(), timeZone),
    timeZone,
    messages: [
      ...messages.slice(0, -1),
      ...situation.filter(({ text }) => text !== ''),
      ...messages.slice(-1),
      ...steps,
    ],
    temperature,
    maxOutputTokens: max_output_tokens,
    timeoutMs: timeout_ms,
    tools,
    mayCall,
  }
}

/** By the primary subtag of the language. */
const fillers: Readonly<Record<string, string>> = {
  ar: 'لحظة من فضلك.',
  da: 'Et øjeblik.',
  de: 'Einen Moment, bitte.',
  en: 'One moment, please.',
  es: 'Un momento, por favor.',
  fi: 'Hetkinen.',
  fr: "Un instant, s'il vous plaît.",
  hi: 'एक क्षण।',
  it: 'Un momento, per favore.',
  ja: '少々お待ちください。',
  ko: '잠시만 기다려 주세요.',
  nb: 'Et øyeblikk.',
  nl: 'Een ogenblik, alstublieft.',
  no: 'Et øyeblikk.',
  pl: 'Chwileczkę.',
  pt: 'Um momento, por favor.',
  ru: 'Одну минуту, пожалуйста.',
  sv: 'Ett ögonblick.',
  tr: 'Bir dakika lütfen.',
  uk: 'Хвилинку, будь ласка.',
  zh: '请稍等。',
}

/** What the agent speaks while tools take long; undefined for a language without such a text. `language` is a BCP 47 tag. */
const fillerIn = (language: string): string | undefined => fillers[language.split('-', 1)[0]!.toLowerCase()]
