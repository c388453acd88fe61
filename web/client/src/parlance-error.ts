/** The errors of the page itself. All other codes are those of the API. */
export type ClientErrorCode =
  /** An option or an argument is not valid. */
  | 'invalid_options'
  /** There is no live session, or not one of the required kind. */
  | 'not_connected'
  /** `connect` was aborted: by its signal, or by `disconnect`. */
  | 'aborted'
  /** `sessionToken` threw, or returned no token. */
  | 'token_unavailable'
  /** The user, or the page's permissions policy, does not allow the microphone. */
  | 'microphone_denied'
  | 'microphone_not_found'
  /** It cannot be used: another program uses it, or the page has no secure context. */
  | 'microphone_unavailable'
  /** It was unplugged, or its permission revoked, and no other replaced it. The session continues: the user can type. */
  | 'microphone_lost'
  | 'device_not_found'
  /** The browser lacks a required feature. */
  | 'unsupported'
  /** The API did not answer. */
  | 'network_error'
  /** The answer is not one of the API: there may be another server at this address. */
  | 'unexpected_answer'
  /** Audio cannot reach the service. */
  | 'connection_failed'

/**
 * Every error of this library. `code` is a `ClientErrorCode`, or a code of the API such as `session_token_expired`; match
 * on it, not on the message. `retryable` is whether the same call may succeed later. `requestId` names the request in the
 * service's logs, if a request was answered.
 */
export class ParlanceError extends Error {
  override readonly name = 'ParlanceError'
  readonly code: ClientErrorCode | (string & {})
  readonly retryable: boolean
  readonly requestId: string | undefined

  constructor(
    code: ClientErrorCode | (string & {}),
    message: string,
    options: { readonly retryable?: boolean; readonly requestId?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.requestId = options.requestId
  }
}
