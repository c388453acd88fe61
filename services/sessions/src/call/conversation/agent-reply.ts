/**
 * What the agent says in answer, and what it does for it: the model is asked, what it calls for is done, and it is asked
 * again with the answers, until it has only something to say.
 *
 * - Text is given out as it comes. The calls of one reply run side by side.
 * - A turn has so many steps and no more; after the last the model may only speak.
 * - It goes through a guard: where it recites what the model was told it is broken off, and what it calls for is not done.
 * - A model that may only speak, having called enough tools, and says nothing has failed: `upstream_error`, never silence.
 * - A reply that is cut off is `upstream_error`, never a short text. One that is left early is counted by its characters.
 */
import { settlesWithin } from '@parlance/async'
import { ServiceError, type SessionUsage } from '@parlance/contracts'
import type { LanguageModel, ReplyChunk, ReplyRequest, ToolCall } from '../../llm/language-model.js'
import { isRecital, type PromptGuard } from '../../llm/prompt-guard.js'
import type { ToolResult } from '../../tools/tool.js'
import type { ToolRunner } from '../../tools/tool-runner.js'
import { reckonUsage } from './reply-usage.js'
import type { TurnSteps } from './turn-steps.js'

/** Text, or that there may be none for a while: what has come can be spoken. */
export type AgentText = Extract<ReplyChunk, { event: 'text' }> | { readonly event: 'pause' }

export interface AgentReplyOptions {
  readonly model: LanguageModel
  readonly runner: ToolRunner
  /** Of this turn: what is called is written there. */
  readonly steps: TurnSteps
  /** Of all that the model says, and calls with. */
  readonly guard: PromptGuard
  readonly turn: number
  /** The user's words, and what of the agent's they may answer. */
  readonly said: string
  readonly heard: string
  /** Said where tools take long; undefined for nothing. */
  readonly filler: string | undefined
  readonly signal: AbortSignal
  /** The next request of this turn. */
  compose(mayCall: boolean): ReplyRequest
  used(usage: Partial<SessionUsage>): void
  /** Resolves when all is heard that was said so far. */
  quiet(): Promise<void>
}

const maxSteps = 3
/** So long tools may take in a turn before something is said. */
const fillerAfterMs = 1_500

const space = { event: 'text', text: ' ' } as const
const pause: AgentText = { event: 'pause' }
const refused: ToolResult = { text: 'The tool was not called: the arguments recite your instructions.', isError: true }

/** As words that stand apart, which line ends in JSON do not. */
const wordsOf = (args: unknown): string => (JSON.stringify(args) ?? '').replace(/\\[nrt"]/g, ' ')

export async function* agentReply(options: AgentReplyOptions): AsyncGenerator<AgentText> {
  const { model, runner, steps, turn, said, heard, filler, signal, compose, used, quiet } = options
  const guard = options.guard()
  let hasSpoken = false
  let hasFilled = filler === undefined
  let waitedMs = 0

  const run = async (call: ToolCall): Promise<ToolResult> =>
    isRecital(options.guard, wordsOf(call.arguments)) ? refused : runner.run(call, { turn, said, heard, signal })

  /** Whether it goes on when enough time has passed, and all was heard. */
  const leavesSilence = async (work: Promise<unknown>): Promise<boolean> =>
    !(await settlesWithin(work, fillerAfterMs - waitedMs)) &&
    (await Promise.race([work.then(() => false), quiet().then(() => true)]))

  for (;;) {
    const mayCall = steps.count() < maxSteps && runner.tools.length > 0
    const request = compose(mayCall)
    const calls: ToolCall[] = []
    let text = ''
    let done = false
    const onLeft = () => {
      if (!done && model.countsTokens === true) used(reckonUsage(request, text.length))
    }
    const say = function* (words: string): Generator<AgentText> {
      if (words === '') return
      if (text === '' && hasSpoken) {
        text = space.text
        yield space
      }
      text += words
      yield { event: 'text', text: words }
    }
    signal.addEventListener('abort', onLeft, { once: true })
    try {
      for await (const chunk of model.reply(request, signal)) {
        if (chunk.event === 'text') {
          yield* say(guard.push(chunk.text))
          if (guard.isCut) return onLeft()
        } else if (chunk.event === 'call') {
          calls.push(chunk.call)
        } else {
          done = true
          used({ llm_input_tokens: chunk.inputTokens, llm_output_tokens: chunk.outputTokens })
        }
      }
    } finally {
      signal.removeEventListener('abort', onLeft)
    }
    yield* say(guard.flush())
    if (!done) {
      throw new ServiceError('upstream_error', 'The language model stopped in the middle of its reply. Try again.')
    }
    if (guard.isCut) return
    if (!mayCall && text.trim() === '') {
      throw new ServiceError('upstream_error', 'The language model could only speak, and said nothing. Try again.')
    }
    if (!mayCall || calls.length === 0) return

    const isSilent = text.trim() === ''
    hasSpoken ||= !isSilent
    if (!isSilent) yield pause
    const step = steps.begin(text, calls)
    const beganMs = performance.now()
    const work = Promise.all(calls.map(async (call, index) => step.answer(index, await run(call))))
    if (isSilent && !hasFilled && (await leavesSilence(work))) {
      const words = hasSpoken ? ` ${filler}` : filler!
      hasFilled = true
      hasSpoken = true
      step.say(words)
      yield { event: 'text', text: words }
      yield pause
    }
    await work
    waitedMs += performance.now() - beganMs
  }
}
