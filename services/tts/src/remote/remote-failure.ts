import { ServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

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

type RemoteFailureKind = keyof typeof kinds

const details = {
  upstream_error: 'The speech engine failed. Try again.',
  upstream_timeout: 'The speech engine did not answer in time. Try again.',
  capacity_exhausted: 'The speech engine is busy now. Try again.',
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

/** Parses a `Retry-After`, which is seconds or a date. */
export const retryAfterMsOf = (header: string | string[] | undefined): number | undefined => {
  if (typeof header !== 'string') return undefined
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

const usedUp = new Set(['insufficient_quota', 'quota_exceeded', 'billing_hard_limit_reached'])

/** Converts a status of HTTP or of a protocol that uses its statuses. */
export const failureOfStatus = (status: number, code?: string, retryAfterMs?: number): RemoteFailure => {
  const message = `the server answered ${status}${code === undefined ? '' : ` (${code})`}`
  if (code !== undefined && usedUp.has(code)) return new RemoteFailure('unauthorized', message)
  // A key may be allowed to speak and not to read lists.
  if (status === 403 || code === 'missing_permissions') return new RemoteFailure('refused', message)
  if (status === 429) return new RemoteFailure('busy', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  if (status === 401 || status === 402) return new RemoteFailure('unauthorized', message)
  if (status === 408 || status >= 500) {
    return new RemoteFailure('failing', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  }
  if (status >= 300 && status < 400)
    return new RemoteFailure('broken', 'the server answered with a redirect, which is not followed')
  return new RemoteFailure(status >= 400 ? 'refused' : 'broken', message)
}

const maxLines = 20
const periodMs = 60_000

/** Logs failures, at most 20 lines a minute, so that a failing server does not fill the disk. */
export const createFailureLog = (logger: Logger) => {
  let periodStart = Number.NEGATIVE_INFINITY
  let lines = 0
  let unlogged = 0

  return (failure: RemoteFailure, message: string): void => {
    const now = performance.now()
    if (now - periodStart > periodMs) {
      if (unlogged > 0) logger.warn({ count: unlogged }, 'More failures of the speech server were not logged')
      periodStart = now
      lines = 0
      unlogged = 0
    }
    if (lines++ < maxLines) logger.warn({ err: failure, code: failure.kind }, message)
    else unlogged++
  }
}
