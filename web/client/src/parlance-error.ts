/** What goes wrong on this side of the network; everything else is a code of the API's. */
export type ClientErrorCode =
  /** An option or an argument is not valid. */
  | 'invalid_options'
  /** There is no live session, or not one of the kind that is needed. */
  | 'not_connected'
  /** `connect` was given up: by its signal, or by `disconnect`. */
  | 'aborted'
  /** `sessionToken` threw, or returned no token. */
  | 'token_unavailable'
  /** The user, or the page's permissions policy, does not allow the microphone. */
  | 'microphone_denied'
  | 'microphone_not_found'
  /** It is there and cannot be used: another program holds it, or the browser offers none to pages that are not secure. */
  | 'microphone_unavailable'
  /** It was unplugged, or taken away, and no other took its place. The session goes on: the user can type. */
  | 'microphone_lost'
  | 'device_not_found'
  /** What is asked for is not something that this browser can do. */
  | 'unsupported'
  /** The API did not answer. */
  | 'network_error'
  /** What the API answered is no answer of its own: there may be something else at this address. */
  | 'unexpected_answer'
  /** Media do not get through to the service. */
  | 'connection_failed'

/**
 * Every error of this library. `code` is one of the above, or one of the API's such as `session_token_expired`; match on it, not on
 * the message. `retryable` says whether the same may work when it is tried again. `requestId` names the request in the service's
 * logs, where one was made and answered.
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
