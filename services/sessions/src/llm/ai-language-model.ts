/**
 * A model elsewhere, by the `ai` SDK: by the stream of its provider, which is what `streamText` reads too. `streamText` takes
 * twice the time for each token, and the event loop that plays fifty conversations has none to give away.
 *
 * - A reply that was cut off is an error, never a short reply: only a server that says why it stopped has come to its end.
 * - What fails before its first text is asked for once more, within the same time, if that can help.
 * - Whichever way the loop is left, the request to the server is over.
 */
import { TypeValidationError } from 'ai'
import { type LanguageModel, type ReplyChunk, type ReplyRequest, replyLimits, type ToolCall } from './language-model.js'
import { failureOfSdk, pauseBeforeRetry, replyFailure } from './reply-failure.js'
import { type SdkModel, sdkCall } from './sdk-call.js'
import { createSpokenPart } from './spoken-part.js'

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

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })

const fitsInto = (levels: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => fitsInto(levels - 1, inner)))

/**
 * What is no JSON, or more of it than is taken, stays text: whoever is called says what is wrong with it. What is nested deeper
 * could be parsed and then not be written again.
 */
const parsedArguments = (json: string): unknown => {
  if (json.length > replyLimits.argumentCharacters) return json.slice(0, replyLimits.argumentCharacters)
  try {
    const parsed: unknown = JSON.parse(json.trim() === '' ? '{}' : json)
    return fitsInto(replyLimits.argumentLevels, parsed) ? parsed : json
  } catch {
    return json
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
  const spoken = createSpokenPart()
  let characters = 0
  /** Held back to the end: the SDK gives out what it has of them, too, where a reply is cut off. */
  const calls: ToolCall[] = []
  let textByMs = firstTextByMs
  try {
    const streaming = model.doStream(sdkCall(request, stop.signal))
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
      if (part.type === 'tool-input-delta') {
        characters += part.delta.length
        textByMs = performance.now() + request.timeoutMs
      }
      if (characters > maxCharacters) throw replyFailure('upstream_error', 'the reply is longer than was asked for')
      const text = part.type === 'text-delta' ? spoken.push(part.delta) : isEnd ? spoken.end() : ''
      if (text !== '') {
        yield { event: 'text', text }
        signal.throwIfAborted()
        textByMs = performance.now() + request.timeoutMs
      }
      if (part.type === 'tool-call' && request.mayCall && calls.length < replyLimits.calls) {
        calls.push({ id: part.toolCallId, name: part.toolName, arguments: parsedArguments(part.input) })
      }
      if (isEnd) {
        for (const call of calls) {
          yield { event: 'call', call }
          signal.throwIfAborted()
        }
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
  countsTokens: true,
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
        await pause(pauseMs, signal)
      }
    }
  },
})
