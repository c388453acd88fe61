/**
 * A model elsewhere, by the `ai` SDK: by the stream of its provider, which is what `streamText` reads too. `streamText` takes
 * twice the time for each token, and the event loop that plays fifty conversations has none to give away.
 *
 * - A reply that was cut off is an error, never a short reply: only a server that says why it stopped has come to its end.
 * - What fails before its first text is asked for once more, within the same time, if that can help.
 * - Whichever way the loop is left, the request to the server is over.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import { TypeValidationError } from 'ai'
import type { LanguageModel, ReplyChunk, ReplyRequest } from './language-model.js'
import { promptMessages } from './prompt.js'
import { failureOfSdk, pauseBeforeRetry, replyFailure } from './reply-failure.js'
import { createSpokenPart } from './spoken-part.js'

/** What the SDK's providers make, whichever they are. */
export type SdkModel = ReturnType<OpenAICompatibleProvider['chatModel']>

/** No token is longer on average; a server that sends more does not keep to what it was asked for. */
const maxCharactersPerToken = 64

/** What `promise` resolves to, unless it is too late by then (by `performance.now()`) or no longer wanted. */
const inTime = async <T>(promise: Promise<T>, byMs: number, signal: AbortSignal): Promise<T> => {
  let giveUp = () => {}
  const late = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    const timer = setTimeout(
      () => reject(replyFailure('upstream_timeout', 'no text came in time')),
      byMs - performance.now(),
    )
    signal.addEventListener('abort', onAbort, { once: true })
    giveUp = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    giveUp()
  }
}

const sdkPrompt = ({ system, messages }: ReplyRequest): Parameters<SdkModel['doStream']>[0]['prompt'] => [
  ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
  ...promptMessages(messages).map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
]

/** One request to the server; ends with the first of `done`, an error, and the end of patience. */
async function* attempt(
  model: SdkModel,
  request: ReplyRequest,
  firstTextByMs: number,
  signal: AbortSignal,
): AsyncGenerator<ReplyChunk> {
  const stop = new AbortController()
  const maxCharacters = request.maxOutputTokens * maxCharactersPerToken
  const spoken = createSpokenPart()
  let characters = 0
  let textByMs = firstTextByMs
  try {
    const streaming = model.doStream({
      prompt: sdkPrompt(request),
      temperature: request.temperature,
      maxOutputTokens: request.maxOutputTokens,
      abortSignal: stop.signal,
    })
    const { stream } = await inTime(Promise.resolve(streaming), textByMs, signal)
    const parts = stream.getReader()
    for (;;) {
      const next = await inTime(parts.read(), textByMs, signal)
      if (next.done) break
      const part = next.value
      // Events that came later than the SDK are no errors: providers reserve the right to send them.
      if (part.type === 'error' && !TypeValidationError.isInstance(part.error)) throw part.error
      const isEnd = part.type === 'finish' && part.finishReason.raw !== undefined
      if (part.type === 'text-delta') characters += part.delta.length
      if (characters > maxCharacters) throw replyFailure('upstream_error', 'the reply is longer than was asked for')
      const text = part.type === 'text-delta' ? spoken.push(part.delta) : isEnd ? spoken.end() : ''
      if (text !== '') {
        yield { event: 'text', text }
        signal.throwIfAborted()
        textByMs = performance.now() + request.timeoutMs
      }
      if (isEnd) {
        const { inputTokens, outputTokens } = part.usage
        yield { event: 'done', inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 }
        return
      }
    }
    throw replyFailure('upstream_error', 'the reply was cut off')
  } finally {
    stop.abort()
  }
}

export const createAiLanguageModel = (model: SdkModel): LanguageModel => ({
  async *reply(request, signal) {
    signal.throwIfAborted()
    const firstTextByMs = performance.now() + request.timeoutMs
    let retried = false
    for (;;) {
      let heard = false
      try {
        for await (const chunk of attempt(model, request, firstTextByMs, signal)) {
          heard = true
          yield chunk
        }
        return
      } catch (error) {
        signal.throwIfAborted()
        const pauseMs = heard || retried ? undefined : pauseBeforeRetry(error)
        if (pauseMs === undefined || performance.now() + pauseMs >= firstTextByMs) throw failureOfSdk(error)
        retried = true
        await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  },
})
