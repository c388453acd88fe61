import { ServiceError } from '@parlance/contracts'

/**
 * The kinds of failures of a speech server: the error code of the contract, whether the request may be repeated while no audio
 * was received, and whether it counts against the server's health rather than against the request.
 */
const kinds = {
  /** The server cannot be reached, or reports a failure of its own. */
  failing: { code: 'upstream_error', again: true, counts: true },
  /** The response violates the protocol, or is truncated. */
  broken: { code: 'upstream_error', again: false, counts: true },
  silent: { code: 'upstream_timeout', again: false, counts: true },
  /** The key is not accepted, or the account is used up. */
  unauthorized: { code: 'upstream_error', again: false, counts: true },
  busy: { code: 'capacity_exhausted', again: true, counts: false },
  /** The request is not accepted. */
  refused: { code: 'upstream_error', again: false, counts: false },
} as const

export type RemoteFailureKind = keyof typeof kinds

const details = {
  upstream_error: 'The speech engine failed. Try again.',
  upstream_timeout: 'The speech engine did not answer in time. Try again.',
  capacity_exhausted: 'The speech engine has no room at the moment. Try again.',
} as const

/** The message is for the log. It contains codes and statuses, but no text of the request or the answer. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  readonly kind: RemoteFailureKind
  /** The server's `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(kind: RemoteFailureKind, message: string, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options)
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }

  get mayTryAgain(): boolean {
    return kinds[this.kind].again
  }

  get countsAgainstServer(): boolean {
    return kinds[this.kind].counts
  }
}

/** Converts any error of a request. An unexpected one counts against the server. */
export const toRemoteFailure = (error: unknown): RemoteFailure =>
  error instanceof RemoteFailure ? error : new RemoteFailure('broken', 'the answer is invalid', { cause: error })

export const serviceErrorOf = (failure: RemoteFailure): ServiceError => {
  const { code } = kinds[failure.kind]
  return new ServiceError(code, details[code], { cause: failure })
}

/** For probes that only test whether a server is there: a server that refuses the request is there. Rethrows other errors. */
export const unlessRefused = (error: unknown): void => {
  if (!(error instanceof RemoteFailure && error.kind === 'refused')) throw error
}
