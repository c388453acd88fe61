import type { ServiceError } from '@parlance/contracts'
import type { ScheduledRequest } from './scheduled-request.js'

export interface EngineWaitOptions {
  readonly request: ScheduledRequest
  readonly signal: AbortSignal
  /** When a request that has not begun is refused, in ms from now. */
  readonly expiresInMs: number
  /** Called when the request has begun to wait. An engine that is free is granted in this call. */
  onWaiting(): void
  /** Called when the request waits no longer, and got no engine. */
  onGivenUp(): void
  /** Returns the error of a request whose time is up. */
  onExpired(): ServiceError
  /** Called when the engine is granted. Returns the function that releases it. */
  onGranted(): () => void
}

/**
 * Waits for an engine, until the request expires unless it has begun. Rejects with the reason of the signal, or with the error of
 * `onExpired`.
 */
export const waitForEngine = (options: EngineWaitOptions): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const { request, signal, expiresInMs } = options
    if (signal.aborted) return reject(signal.reason)
    let timer: NodeJS.Timeout | undefined
    const stopWaiting = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const giveUp = (reason: unknown) => {
      stopWaiting()
      request.waiting.delete(start)
      options.onGivenUp()
      reject(reason)
    }
    const onAbort = () => giveUp(signal.reason)
    const start = () => {
      stopWaiting()
      resolve(options.onGranted())
    }
    signal.addEventListener('abort', onAbort, { once: true })
    request.waiting.add(start)
    request.arriving = false
    options.onWaiting()
    if (request.begun) return
    const onExpiry = () => {
      if (!request.begun) giveUp(options.onExpired())
    }
    timer = setTimeout(onExpiry, Math.max(0, expiresInMs)).unref()
  })
