import type { z } from 'zod'

/** Converts an error of zod to an `invalid_request` that names the field: `output.sample_rate: expected number`. */
export const invalidRequest = (error: z.ZodError): ServiceError => {
  const [first] = error.issues
  if (first === undefined) return new ServiceError('invalid_request', 'The request is not valid.')
  if (first.code === 'unrecognized_keys') {
    const fields = first.keys.map((key) => [...first.path, key].join('.').slice(0, 100)).join(', ')
    return new ServiceError('invalid_request', `Unknown field: ${fields.slice(0, 300)}.`)
  }
  const field = first.path.join('.').slice(0, 100)
  // The key of a record is wrong: its own issue says why.
  const message = (first.code === 'invalid_key' && first.issues[0]?.message) || first.message
  return new ServiceError('invalid_request', field === '' ? message : `${field}: ${message}`)
}

/**
 * Whether a value is the name of an error of another server, such as `invalid_api_key`. Other texts of a server are not logged,
 * since they may quote a key or what a person said.
 */
export const isErrorName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z_]{1,47}$/i.test(value)

/**
 * The one closed table of error codes: a code determines its HTTP status and whether trying the
 * same request again can help.
 */
export const errorTable = {
  invalid_request: { status: 400, retryable: false },
  invalid_json: { status: 400, retryable: false },
  alignment_requires_json: { status: 400, retryable: false },
  text_not_speakable: { status: 400, retryable: false },
  unsupported_format: { status: 400, retryable: false },
  memory_identity_required: { status: 400, retryable: false },
  invalid_sdp: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  session_token_expired: { status: 401, retryable: false },
  stream_token_invalid: { status: 401, retryable: false },
  insufficient_credit: { status: 402, retryable: false },
  capability_disabled: { status: 403, retryable: false },
  organization_suspended: { status: 403, retryable: false },
  session_token_agent_mismatch: { status: 403, retryable: false },
  origin_not_allowed: { status: 403, retryable: false },
  forbidden_role: { status: 403, retryable: false },
  agent_not_found: { status: 404, retryable: false },
  session_not_found: { status: 404, retryable: false },
  voice_not_found: { status: 404, retryable: false },
  avatar_not_found: { status: 404, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  not_acceptable: { status: 406, retryable: false },
  agent_not_published: { status: 409, retryable: false },
  agent_not_api_ready: { status: 409, retryable: false },
  slug_taken: { status: 409, retryable: false },
  session_token_used: { status: 409, retryable: false },
  session_ended: { status: 409, retryable: false },
  idempotency_conflict: { status: 409, retryable: false },
  context_exists: { status: 409, retryable: false },
  revision_conflict: { status: 412, retryable: false },
  text_too_long: { status: 413, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  range_not_satisfiable: { status: 416, retryable: false },
  agent_not_publishable: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  concurrency_limited: { status: 429, retryable: true },
  too_many_contexts: { status: 429, retryable: true },
  internal_error: { status: 500, retryable: true },
  upstream_error: { status: 502, retryable: true },
  capacity_exhausted: { status: 503, retryable: true },
  draining: { status: 503, retryable: true },
  unavailable: { status: 503, retryable: true },
  upstream_timeout: { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>

export type ErrorCode = keyof typeof errorTable

/** True for the name of a code in the table; false for anything else, `toString` included. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorTable, value)

export interface ServiceErrorOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number | undefined
  readonly isUpstream?: boolean | undefined
  readonly isReported?: boolean | undefined
}

/**
 * The only error that may cross a service's boundary. `detail` is shown to the client, so it states what to do and
 * nothing internal; the internal reason is the `cause`, which is logged and never sent.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly detail: string
  /** When the same request may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined
  /** The error comes from a server behind the service, which the service has already retried where that could help. */
  readonly isUpstream: boolean
  /** The cause has already been logged. Further lines about this error are left out. */
  readonly isReported: boolean

  constructor(code: ErrorCode, detail: string, options?: ServiceErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.code = code
    this.detail = detail
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.isUpstream = options?.isUpstream ?? false
    this.isReported = options?.isReported ?? false
  }

  get status(): number {
    return errorTable[this.code].status
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable
  }
}

/** The error of a request that comes while its service is being stopped, or that is interrupted by the stop. */
export const draining = (): ServiceError => new ServiceError('draining', 'The service is shutting down. Try again.')

/** Any thrown value as a `ServiceError`; any other value becomes an `internal_error` with the original as its cause. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError
    ? error
    : new ServiceError('internal_error', 'Something went wrong on our side. Try again.', { cause: error })
