import { RemoteFailure } from './remote-failure.js'

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
