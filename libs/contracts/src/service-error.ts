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
 * same request again can help. `cause` and `remedy` are Markdown for the documentation.
 */
export const errorTable = {
  invalid_request: {
    status: 400,
    retryable: false,
    cause: 'A field, header or query parameter is missing, unknown or not valid.',
    remedy: 'Correct what `detail` names, which is the field where there is one.',
  },
  invalid_json: {
    status: 400,
    retryable: false,
    cause: 'The body or the message is not valid JSON.',
    remedy: 'Send JSON in UTF-8.',
  },
  alignment_requires_json: {
    status: 400,
    retryable: false,
    cause: '`alignment` was requested of a response that is only audio.',
    remedy: 'Set `response_mode` to `json` or `sse`.',
  },
  text_not_speakable: {
    status: 400,
    retryable: false,
    cause: 'The voice can say nothing of the text: another script than its own, or symbols alone.',
    remedy: 'Send text in a language of the voice, which `detail` names, or use another voice.',
  },
  unsupported_format: {
    status: 400,
    retryable: false,
    cause: 'The voice or the route does not have the format, the sample rate or the bit rate.',
    remedy: 'Use one that `detail` lists.',
  },
  memory_identity_required: {
    status: 400,
    retryable: false,
    cause: 'The Agent has memory or the calendar enabled, and the session token has no `end_user_id`.',
    remedy: 'Mint the token with the `end_user_id` of the person.',
  },
  invalid_sdp: {
    status: 400,
    retryable: false,
    cause: 'The SDP of the offer or a candidate is not valid, or cannot be used.',
    remedy: 'Send what an `RTCPeerConnection` created, unchanged.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    cause: 'The key or the token is missing, unknown or revoked, or belongs to another installation or environment.',
    remedy: 'Send a valid key as `Authorization: Bearer`, or mint a new token.',
  },
  session_token_expired: {
    status: 401,
    retryable: false,
    cause: 'The session token was not used in time.',
    remedy: 'Mint a new session token just before the conversation starts.',
  },
  stream_token_invalid: {
    status: 401,
    retryable: false,
    cause: 'The stream token is unknown, expired or used: each opens one connection.',
    remedy: 'Mint a new stream token for each connection.',
  },
  insufficient_credit: {
    status: 402,
    retryable: false,
    cause: 'The workspace has too little credit left.',
    remedy: 'Grant the workspace credit.',
  },
  capability_disabled: {
    status: 403,
    retryable: false,
    cause: 'The workspace does not have the capability that the route needs.',
    remedy: 'Let an operator enable the capability for the workspace.',
  },
  organization_suspended: {
    status: 403,
    retryable: false,
    cause: 'The workspace is suspended.',
    remedy: 'Ask the operator of the installation.',
  },
  session_token_agent_mismatch: {
    status: 403,
    retryable: false,
    cause: 'The session token was minted for another Agent.',
    remedy: 'Start the conversation with the Agent for which the token was minted.',
  },
  origin_not_allowed: {
    status: 403,
    retryable: false,
    cause: 'The page has an origin that is not among the allowed ones.',
    remedy: 'Add the origin to `session_config.allowed_origins` of the Agent, and publish it.',
  },
  forbidden_role: {
    status: 403,
    retryable: false,
    cause: 'The role of the person in the workspace, or the kind of the key, does not permit this.',
    remedy: 'Use an account or a key that may do this.',
  },
  agent_not_found: {
    status: 404,
    retryable: false,
    cause: 'The workspace has no such Agent, or it was deleted.',
    remedy: 'Check the id of the Agent and the workspace of the key.',
  },
  session_not_found: {
    status: 404,
    retryable: false,
    cause: 'The workspace has no such conversation, or its record was deleted.',
    remedy: 'Check the id of the conversation and the workspace of the key.',
  },
  voice_not_found: {
    status: 404,
    retryable: false,
    cause: 'There is no such voice, or the voice has no such variant.',
    remedy: 'Choose an `id` of `GET /v1/voices`, and one of the `variants` of that voice.',
  },
  avatar_not_found: {
    status: 404,
    retryable: false,
    cause: 'There is no such avatar.',
    remedy: 'Choose an `id` of `GET /v1/avatars`.',
  },
  not_found: {
    status: 404,
    retryable: false,
    cause: 'There is nothing at this path, or no such resource in the workspace.',
    remedy: 'Check the path, the ids and the workspace of the key.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    cause: 'The path exists, and does not have this method.',
    remedy: 'Use a method of the header `Allow`.',
  },
  not_acceptable: {
    status: 406,
    retryable: false,
    cause: 'The `Accept` header excludes the type of the response.',
    remedy: 'Send the header with that type, or leave it out.',
  },
  agent_not_published: {
    status: 409,
    retryable: false,
    cause: 'The Agent was never published.',
    remedy: 'Publish the Agent.',
  },
  agent_not_api_ready: {
    status: 409,
    retryable: false,
    cause: 'The published revision of the Agent has no TTS variant.',
    remedy: 'Set `voice_config.tts_variant`, and publish the Agent.',
  },
  slug_taken: {
    status: 409,
    retryable: false,
    cause: 'Another Agent of the workspace has this slug.',
    remedy: 'Choose another slug.',
  },
  session_token_used: {
    status: 409,
    retryable: false,
    cause: 'The token has already started a conversation.',
    remedy: 'Mint a new session token for each conversation.',
  },
  session_ended: {
    status: 409,
    retryable: false,
    cause: 'The conversation is over.',
    remedy: 'Start a new conversation.',
  },
  idempotency_conflict: {
    status: 409,
    retryable: false,
    cause: 'The `Idempotency-Key` was used for another request within 24 hours.',
    remedy: 'Use a new key for a new request.',
  },
  context_exists: {
    status: 409,
    retryable: false,
    cause: 'The connection has an open context with this `context_id`.',
    remedy: 'Wait for the end of that context, or use another `context_id`.',
  },
  revision_conflict: {
    status: 412,
    retryable: false,
    cause: 'The Agent was changed since the version in `If-Match`.',
    remedy: 'Read the Agent again, and apply the change to that version.',
  },
  text_too_long: {
    status: 413,
    retryable: false,
    cause: 'The text is longer than the request, the context or the token allows.',
    remedy: 'Send less text, or wait until the text before it is spoken.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    cause: 'The body or the message is larger than the route allows.',
    remedy: 'Send less; `detail` has the limit.',
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    cause: 'The route does not read the `Content-Type` of the body.',
    remedy: 'Send the type that `detail` names.',
  },
  range_not_satisfiable: {
    status: 416,
    retryable: false,
    cause: 'The `Range` is not within the file.',
    remedy: 'Request a part that the file has.',
  },
  agent_not_publishable: {
    status: 422,
    retryable: false,
    cause: 'The draft could never run: for example, its voice or its language model does not exist.',
    remedy: 'Correct what `detail` names. `POST .../publish?dry_run=true` lists all problems.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    cause: 'Too many requests or messages in a short time.',
    remedy: 'Wait for `Retry-After`, and send fewer.',
  },
  concurrency_limited: {
    status: 429,
    retryable: true,
    cause: 'The workspace or the Agent has as many conversations or streams as it may have.',
    remedy: 'Wait for one to end, or let an operator raise the limit.',
  },
  too_many_contexts: {
    status: 429,
    retryable: true,
    cause: 'The connection has as many open contexts as it may have.',
    remedy: 'Wait for a context to end, or open another connection.',
  },
  internal_error: {
    status: 500,
    retryable: true,
    cause: 'A fault of the installation, which is in its log under the `request_id`.',
    remedy: 'Try again. If it stays, give the operator the `request_id`.',
  },
  upstream_error: {
    status: 502,
    retryable: true,
    cause: 'A server behind the installation, such as a language model, failed.',
    remedy: 'Try again. If it stays, check that server.',
  },
  capacity_exhausted: {
    status: 503,
    retryable: true,
    cause: 'All engines or connections were busy for as long as a request may wait.',
    remedy: 'Wait for `Retry-After`. If it happens often, add replicas.',
  },
  draining: {
    status: 503,
    retryable: true,
    cause: 'The server that received the request is about to stop.',
    remedy: 'Try again; another server answers.',
  },
  unavailable: {
    status: 503,
    retryable: true,
    cause: 'A service of the installation does not run or cannot be reached.',
    remedy: 'Wait for `Retry-After`. If it stays, look at the service with `parlance doctor`.',
  },
  upstream_timeout: {
    status: 504,
    retryable: true,
    cause: 'A service or a server behind the installation did not answer in time.',
    remedy: 'Try again.',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; cause: string; remedy: string }>

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
