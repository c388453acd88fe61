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
import { settlesWithin } from '@parlance/async'
import { ServiceError, type SessionToolCall, type SessionUsage } from '@parlance/contracts'
import type { LanguageModel, ReplyChunk, ReplyRequest, ToolCall } from '../../llm/language-model.js'
import { promptCharacters } from '../../llm/prompt-messages.js'
import type { ToolResult } from '../../tools/tool.js'
import type { ToolRunner } from '../../tools/tool-runner.js'
import { recordedCall } from '../recorded-call.js'
import type { TurnSteps } from './turn-steps.js'

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

/** Text, or `pause` when no more text may arrive for some time: the text so far can be spoken. */
export type AgentText = Extract<ReplyChunk, { event: 'text' }> | { readonly event: 'pause' }

export interface AgentReplyOptions {
  readonly model: LanguageModel
  readonly runner: ToolRunner
  /** Of this turn: the calls are added to it. */
  readonly steps: TurnSteps
  readonly turn: number
  /** The message that the reply becomes. */
  readonly messageId: string
  /** The user's message. Read after the commit, which may have corrected its punctuation. */
  userText(): string
  /** What was played of the agent since the user's message before, which `userText` may answer. */
  readonly playedText: string
  /** Spoken where tools take long; undefined for nothing. */
  readonly filler: string | undefined
  readonly signal: AbortSignal
  /** Resolves when the reply is the agent's turn. Rejects when it is stopped before. */
  readonly committed: Promise<void>
  /** The next request of this turn. */
  compose(mayCall: boolean): ReplyRequest
  used(usage: Partial<SessionUsage>): void
  /** A call of a tool has ended. */
  toolCalled(call: SessionToolCall): void
  /** Resolves when all audio so far was played. */
  played(): Promise<void>
}

const maxSteps = 3
/** How long tools may take in a turn before the filler. */
const fillerAfterMs = 1_500

const space = { event: 'text', text: ' ' } as const
const pause: AgentText = { event: 'pause' }

export async function* agentReply(options: AgentReplyOptions): AsyncGenerator<AgentText> {
  const { model, runner, steps, turn, messageId, userText, playedText, filler, signal, committed } = options
  const { compose, used, toolCalled, played } = options
  let hasSpoken = false
  let hasFilled = filler === undefined
  let waitedMs = 0

  const run = (call: ToolCall): Promise<ToolResult> =>
    recordedCall({
      call,
      messageId,
      record: toolCalled,
      run: (callId) => runner.run(call, { callId, turn, userText: userText(), playedText, signal }),
    })

  /** Whether the work is still in progress when the time for tools is over and all audio was played. */
  const leavesSilence = async (work: Promise<unknown>): Promise<boolean> =>
    !(await settlesWithin(work, fillerAfterMs - waitedMs)) &&
    (await Promise.race([work.then(() => false), played().then(() => true)]))

  for (;;) {
    const mayCall = steps.count() < maxSteps && runner.tools.length > 0
    const request = compose(mayCall)
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
    const answer = async (call: ToolCall, index: number): Promise<ToolResult> => {
      const result = await run(call)
      step.answer(index, result)
      return result
    }
    const work = Promise.all(calls.map(answer))
    if (isSilent && !hasFilled && (await leavesSilence(work))) {
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
