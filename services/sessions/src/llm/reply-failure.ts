import { types } from 'node:util'
import { type ErrorCode, ServiceError } from '@parlance/contracts'
import { APICallError } from 'ai'

const details = {
  upstream_error: 'The language model failed. Try again.',
  upstream_timeout: 'The language model did not answer in time. Try again.',
  capacity_exhausted: 'The language model has no room at the moment. Try again.',
} as const satisfies Partial<Record<ErrorCode, string>>

/** `why` is for the log: it quotes neither what was sent nor what came, but for statuses and the names of errors. */
export const replyFailure = (code: keyof typeof details, why: string, cause?: unknown): ServiceError =>
  new ServiceError(code, details[code], { cause: new Error(why, cause === undefined ? {} : { cause }) })

/** Statuses of a server that is well but full; 529 is Anthropic's. */
const isBusy = (status: number) => status === 429 || status === 529

/** The error of the operating system or of the HTTP client under what the SDK made of it: it knows addresses, not contents. */
const networkErrorIn = (error: unknown): Error | undefined => {
  for (let at = error, depth = 0; types.isNativeError(at) && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return at
  }
  return undefined
}

/** A name such as `invalid_api_key`, from the places where the protocols have it. */
const errorNameIn = (data: unknown): string => {
  const { error } = (data ?? {}) as { error?: { code?: unknown; type?: unknown } }
  const name = [error?.code, error?.type].find((value) => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value))
  return name === undefined ? '' : ` (${name})`
}

const statusOf = (error: unknown): number | undefined => (APICallError.isInstance(error) ? error.statusCode : undefined)

/** Any error of the SDK. Its own message and fields stay behind: they hold the conversation and what the server answered. */
export const failureOfSdk = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const status = statusOf(error)
  const network = networkErrorIn(error)
  if (network !== undefined) return replyFailure('upstream_error', 'the connection to the server failed', network)
  if (status === undefined || status === 200) {
    return replyFailure('upstream_error', 'what the server sent is not what its protocol says, or tells of an error')
  }
  const why = `the server answered with status ${status}${errorNameIn((error as APICallError).data)}`
  return replyFailure(isBusy(status) ? 'capacity_exhausted' : 'upstream_error', why)
}

const shortestPauseMs = 200
const longestPauseMs = 1_000

/**
 * How long to wait before the same is asked again, in ms; undefined where that cannot help, or would help too late. A server
 * that could not be reached and one that is full or fails may answer next time; an answer that was bad will be bad again.
 */
export const pauseBeforeRetry = (error: unknown): number | undefined => {
  const status = statusOf(error)
  if (status === undefined) return networkErrorIn(error) === undefined ? undefined : shortestPauseMs
  if (status !== 429 && status < 500) return undefined
  const after = (error as APICallError).responseHeaders?.['retry-after']
  const pauseMs = after === undefined ? shortestPauseMs : Number(after) * 1_000
  return pauseMs <= longestPauseMs ? pauseMs : undefined
}
