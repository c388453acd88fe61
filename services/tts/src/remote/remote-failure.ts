import { ServiceError } from '@parlance/contracts'

/**
 * What can go wrong with a server elsewhere: which error of the contract it is, whether the same may be asked again while
 * nothing has been heard yet, and whether it speaks against the server (rather than against what was asked of it).
 */
const kinds = {
  /** It cannot be reached, or says itself that something is wrong with it. */
  failing: { code: 'upstream_error', again: true, counts: true },
  /** What it sends is not what its protocol says, or ends before its end. */
  broken: { code: 'upstream_error', again: false, counts: true },
  silent: { code: 'upstream_timeout', again: false, counts: true },
  /** It does not take our key, or our account is used up. */
  unauthorized: { code: 'upstream_error', again: false, counts: true },
  busy: { code: 'capacity_exhausted', again: true, counts: false },
  /** It does not take this request. */
  refused: { code: 'upstream_error', again: false, counts: false },
} as const

export type RemoteFailureKind = keyof typeof kinds

const details = {
  upstream_error: 'The speech engine failed. Try again.',
  upstream_timeout: 'The speech engine did not answer in time. Try again.',
  capacity_exhausted: 'The speech engine has no room at the moment. Try again.',
} as const

/** Its message is for the log: it quotes neither what was sent nor what came, but for codes and statuses. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  readonly kind: RemoteFailureKind
  /** How long the server wants to be left alone. */
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

/** Anything thrown on the way to a server and back. What nobody foresaw is the server's fault until shown otherwise. */
export const toRemoteFailure = (error: unknown): RemoteFailure =>
  error instanceof RemoteFailure
    ? error
    : new RemoteFailure('broken', 'what came could not be understood', { cause: error })

export const serviceErrorOf = (failure: RemoteFailure): ServiceError => {
  const { code } = kinds[failure.kind]
  return new ServiceError(code, details[code], { cause: failure })
}

/** For questions that only ask whether a server is there: who refuses to answer is there all the same. */
export const unlessRefused = (error: unknown): void => {
  if (!(error instanceof RemoteFailure && error.kind === 'refused')) throw error
}
