import { RemoteFailure } from './remote-failure.js'

/** What a `Retry-After` says: seconds or a date. */
export const retryAfterMsOf = (header: string | string[] | undefined): number | undefined => {
  if (typeof header !== 'string') return undefined
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

const usedUp = new Set(['insufficient_quota', 'quota_exceeded', 'billing_hard_limit_reached'])

/** The failure that a status stands for, in HTTP and in protocols that borrow its statuses. */
export const failureOfStatus = (status: number, code?: string, retryAfterMs?: number): RemoteFailure => {
  const message = `the server answered ${status}${code === undefined ? '' : ` (${code})`}`
  if (code !== undefined && usedUp.has(code)) return new RemoteFailure('unauthorized', message)
  // A key that may speak but not ask for lists is a good key.
  if (status === 403 || code === 'missing_permissions') return new RemoteFailure('refused', message)
  if (status === 429) return new RemoteFailure('busy', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  if (status === 401 || status === 402) return new RemoteFailure('unauthorized', message)
  if (status === 408 || status >= 500) {
    return new RemoteFailure('failing', message, retryAfterMs === undefined ? {} : { retryAfterMs })
  }
  if (status >= 300 && status < 400)
    return new RemoteFailure('broken', 'the server sends us elsewhere, and we do not go')
  return new RemoteFailure(status >= 400 ? 'refused' : 'broken', message)
}

/** An error's name, such as `invalid_api_key`. Nothing else of what a server writes is logged: it may quote our key, or a text. */
export const isErrorName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z_]{1,47}$/i.test(value)
