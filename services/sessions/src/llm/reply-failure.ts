import { types } from 'node:util'
import type { RetryOptions } from '@parlance/async'
import { type ErrorCode, isErrorName, ServiceError } from '@parlance/contracts'
import { APICallError } from 'ai'

const details = {
  upstream_error: 'The language model failed. Try again.',
  upstream_timeout: 'The language model did not answer in time. Try again.',
  capacity_exhausted: 'The language model has no room at the moment. Try again.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** `why` is for the log. Of requests and responses it quotes only statuses and names of errors. */
export const replyFailure = (code: keyof typeof details, why: string, cause?: unknown): ServiceError =>
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
export const failureOfSdk = (error: unknown): ServiceError => {
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
export const retryOptions = {
  backoff: { firstMs: retryDelayMs, maxMs: retryDelayMs },
  maxAttempts: 2,
  retryAfterMs,
  shouldRetry(error: unknown): boolean {
    const status = statusOf(error)
    if (status === undefined) return networkErrorIn(error) !== undefined
    return (status === 429 || status >= 500) && (retryAfterMs(error) ?? 0) <= maxRetryAfterMs
  },
} satisfies Partial<RetryOptions>
