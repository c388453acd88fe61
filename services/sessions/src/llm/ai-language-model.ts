/**
 * A remote model through the `ai` SDK. It reads the stream of the SDK's provider directly: `streamText` takes twice the CPU for
 * each token, and the same event loop plays the audio of many conversations.
 *
 * - A reply that was cut off is an error, never a short reply: a complete reply has a finish reason from the server.
 * - A request that fails before its first part is sent once more, within the same time limit, when that can help.
 * - The request is aborted whenever its loop is left.
 */
import { retry, withTimeout } from '@parlance/async'
import type { RemoteLlmProvider } from '@parlance/contracts'
import { TypeValidationError } from 'ai'
import { type LanguageModel, type ReplyChunk, type ReplyRequest, replyLimits, type ToolCall } from './language-model.js'
import { type Endpoint, remoteProviders } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'
import { failureOfSdk, replyFailure, retryOptions } from './reply-failure.js'
import { type SdkModel, sdkCall } from './sdk-call.js'
import { createSpokenPart } from './spoken-part.js'

/** More than the average length of tokens. A server that sends more text has ignored `maxOutputTokens`. */
const maxCharactersPerToken = 64

/** Whether a value has at most this many levels. */
const fitsInto = (levels: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => fitsInto(levels - 1, inner)))

/**
 * The arguments of a call. Text that is not JSON, too long or nested too deep stays text, and the tool reports it. Deeper JSON
 * could be parsed but not serialized again.
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

/** One request to the server. Throws at the time limit, which is renewed by each part of the reply. */
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
  /** Kept until the end, since the SDK also passes on the calls of a reply that was cut off. */
  const calls: ToolCall[] = []
  let textByMs = firstTextByMs
  const inTime = <Result>(work: PromiseLike<Result>): Promise<Result> => {
    const onTimeout = (): never => {
      throw replyFailure('upstream_timeout', 'no text came in time')
    }
    return withTimeout(Promise.resolve(work), textByMs - performance.now(), onTimeout, signal)
  }
  try {
    const { stream } = await inTime(model.doStream(sdkCall(request, stop.signal)))
    const parts = stream.getReader()
    for (;;) {
      const next = await inTime(parts.read())
      if (next.done) break
      const part = next.value
      // Providers may add events that the SDK does not know. They are not errors.
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
    const firstTextByMs = performance.now() + request.timeoutMs
    const begin = async () => {
      const chunks = attempt(model, request, firstTextByMs, signal)
      return { chunks, first: await chunks.next() }
    }
    try {
      const { chunks, first } = await retry(begin, { ...retryOptions, deadlineMs: firstTextByMs, signal })
      try {
        if (!first.done) yield first.value
        yield* chunks
      } finally {
        await chunks.return(undefined)
      }
    } catch (error) {
      signal.throwIfAborted()
      throw failureOfSdk(error)
    }
  },
})

/** The models of one provider by name, over the connections of `fetch`. No request is sent before the first reply. */
export const createRemoteProvider = async (
  provider: RemoteLlmProvider,
  { url, key }: Endpoint,
  fetch = createPooledFetch(),
): Promise<(model: string) => LanguageModel> => {
  const apiKey = key === undefined ? {} : { apiKey: key }
  const modelOf = await remoteProviders[provider].load({ baseURL: url, ...apiKey, fetch })
  return (model) => createAiLanguageModel(modelOf(model))
}
