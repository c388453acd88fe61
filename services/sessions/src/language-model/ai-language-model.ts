/**
 * A model elsewhere, by the `ai` SDK.
 *
 * - A reply that was cut off is an error, never a short reply: only a server that says why it stopped has come to its end.
 * - What fails before its first text is asked for once more, within the same time, if that can help.
 * - Whichever way the loop is left, the request to the server is over.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type LanguageModel as SdkModel, streamText, TypeValidationError } from 'ai'
import type { LanguageModel, ReplyChunk, ReplyRequest } from './language-model.js'
import { toModelMessages } from './prompt.js'
import { failureOfSdk, pauseBeforeRetry, replyFailure } from './reply-failure.js'

// The SDK prints to the console what a model does not support, such as a temperature.
globalThis.AI_SDK_LOG_WARNINGS = false

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

/** One request to the server; ends with the first of `done`, an error, and the end of patience. */
async function* attempt(
  model: SdkModel,
  request: ReplyRequest,
  firstTextByMs: number,
  signal: AbortSignal,
): AsyncGenerator<ReplyChunk> {
  const stop = new AbortController()
  const maxCharacters = request.maxOutputTokens * maxCharactersPerToken
  let characters = 0
  let textByMs = firstTextByMs
  try {
    const { fullStream } = streamText({
      model,
      system: request.system,
      messages: toModelMessages(request.messages),
      temperature: request.temperature,
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: stop.signal,
      // Errors come as parts of the stream too; without this they would be printed.
      onError: () => {},
    })
    const parts = fullStream[Symbol.asyncIterator]()
    for (;;) {
      const next = await inTime(parts.next(), textByMs, signal)
      if (next.done) break
      const part = next.value
      // Events that came later than the SDK are no errors: providers reserve the right to send them.
      if (part.type === 'error' && !TypeValidationError.isInstance(part.error)) throw part.error
      if (part.type === 'text-delta' && part.text !== '') {
        characters += part.text.length
        if (characters > maxCharacters) throw replyFailure('upstream_error', 'the reply is longer than was asked for')
        yield { event: 'text', text: part.text }
        signal.throwIfAborted()
        textByMs = performance.now() + request.timeoutMs
      }
      if (part.type === 'finish' && part.rawFinishReason !== undefined) {
        const { inputTokens = 0, outputTokens = 0 } = part.totalUsage
        yield { event: 'done', inputTokens, outputTokens }
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
