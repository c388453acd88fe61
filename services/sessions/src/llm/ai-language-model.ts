/**
 * A remote model through the `ai` SDK. It reads the stream of the SDK's provider directly: `streamText` takes twice the CPU for
 * each token, and the same event loop plays the audio of many conversations.
 *
 * - A reply that was cut off is an error, never a short reply: a complete reply has a finish reason from the server.
 * - A request that fails before its first part is sent once more, within the same time limit, when that can help.
 * - The request is aborted whenever its loop is left.
 */

import { types } from 'node:util'
import { type RetryOptions, retry, withTimeout } from '@parlance/async'
import { type ErrorCode, isErrorName, type RemoteLlmProvider, ServiceError } from '@parlance/contracts'
import { APICallError, TypeValidationError } from 'ai'
import { type LanguageModel, type ReplyChunk, type ReplyRequest, replyLimits, type ToolCall } from './language-model.js'
import { type Endpoint, remoteProviders } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'
import { type SdkModel, sdkCall } from './sdk-call.js'

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

const details = {
  upstream_error: 'The language model failed. Try again.',
  upstream_timeout: 'The language model did not answer in time. Try again.',
  capacity_exhausted: 'The language model has no room at the moment. Try again.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** `why` is for the log. Of requests and responses it quotes only statuses and names of errors. */
const replyFailure = (code: keyof typeof details, why: string, cause?: unknown): ServiceError =>
  new ServiceError(code, details[code], { cause: new Error(why, cause === undefined ? {} : { cause }) })

/** Statuses of a server without capacity; 529 is Anthropic's. */
const isBusy = (status: number) => status === 429 || status === 529

/** The error of the operating system or of the HTTP client that the SDK wrapped. It contains addresses and no contents. */
const networkErrorIn = (error: unknown): Error | undefined => {
  for (let at = error, depth = 0; types.isNativeError(at) && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return at
  }
  return undefined
}

/** The name of an error from the places where the protocols put it. */
const errorNameIn = (data: unknown): string => {
  const { error } = (data ?? {}) as { error?: { code?: unknown; type?: unknown } }
  const name = [error?.code, error?.type].find(isErrorName)
  return name === undefined ? '' : ` (${name})`
}

const statusOf = (error: unknown): number | undefined => (APICallError.isInstance(error) ? error.statusCode : undefined)

/** Converts any error of the SDK. Its message and fields are dropped: they contain the conversation and the response. */
const failureOfSdk = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const status = statusOf(error)
  const network = networkErrorIn(error)
  if (network !== undefined) return replyFailure('upstream_error', 'the connection to the server failed', network)
  if (status === undefined || status === 200) {
    return replyFailure('upstream_error', 'the server broke its protocol, or reported an error')
  }
  const why = `the server answered with status ${status}${errorNameIn((error as APICallError).data)}`
  return replyFailure(isBusy(status) ? 'capacity_exhausted' : 'upstream_error', why)
}

const retryDelayMs = 200
const maxRetryAfterMs = 1_000

const retryAfterMs = (error: unknown): number | undefined => {
  const seconds = APICallError.isInstance(error) ? error.responseHeaders?.['retry-after'] : undefined
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

/**
 * A failed request is sent once more when the server could not be reached, is full or fails, unless it asks for a longer wait.
 * A wrong response would stay wrong.
 */
const retryOptions = {
  backoff: { firstMs: retryDelayMs, maxMs: retryDelayMs },
  maxAttempts: 2,
  retryAfterMs,
  shouldRetry(error: unknown): boolean {
    const status = statusOf(error)
    if (status === undefined) return networkErrorIn(error) !== undefined
    return (status === 429 || status >= 500) && (retryAfterMs(error) ?? 0) <= maxRetryAfterMs
  },
} satisfies Partial<RetryOptions>

const opening = '<think>'
const closing = '</think>'

/** The part of a reply that is spoken. Open models begin a reply with their reasoning, between these two marks. */
interface SpokenPart {
  /** Takes the next text of the reply. Returns what is to be spoken now, which may be empty. */
  push(text: string): string
  /** Ends the reply. Returns text that waited because it could have been the beginning of a mark. */
  end(): string
}

/** Only the beginning of a reply can be reasoning. Text after that is returned at once. */
export const createSpokenPart = (): SpokenPart => {
  let state: 'beginning' | 'reasoning' | 'speech' = 'beginning'
  let pending = ''
  const speak = (text: string) => {
    state = 'speech'
    pending = ''
    return text
  }
  return {
    push(text) {
      if (state === 'speech') return text
      pending += text
      if (state === 'beginning') {
        const begun = pending.trimStart()
        if (begun.length < opening.length && opening.startsWith(begun)) return ''
        if (!begun.startsWith(opening)) return speak(pending)
        state = 'reasoning'
        pending = begun.slice(opening.length)
      }
      const end = pending.indexOf(closing)
      if (end !== -1) return speak(pending.slice(end + closing.length))
      pending = pending.slice(1 - closing.length)
      return ''
    },
    end: () => (state === 'beginning' ? speak(pending) : ''),
  }
}
