import { types } from 'node:util'
import { type ErrorCode, ServiceError } from '@parlance/contracts'
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

/** A name such as `invalid_api_key`, from the places where the protocols put it. */
const errorNameIn = (data: unknown): string => {
  const { error } = (data ?? {}) as { error?: { code?: unknown; type?: unknown } }
  const name = [error?.code, error?.type].find((value) => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value))
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

const minPauseMs = 200
const maxPauseMs = 1_000

/**
 * Milliseconds to wait before the request is repeated; undefined when that cannot help, or only too late. A server that
 * could not be reached, is full or fails may answer next time. A wrong response stays wrong.
 */
export const pauseBeforeRetry = (error: unknown): number | undefined => {
  const status = statusOf(error)
  if (status === undefined) return networkErrorIn(error) === undefined ? undefined : minPauseMs
  if (status !== 429 && status < 500) return undefined
  const after = (error as APICallError).responseHeaders?.['retry-after']
  const pauseMs = after === undefined ? minPauseMs : Number(after) * 1_000
  return pauseMs <= maxPauseMs ? pauseMs : undefined
}
