import { ParlanceError } from './parlance-error.js'

/** Rejects as soon as the signal aborts. A value that arrives later is passed to `drop`. */
export const unlessAborted = <Value>(
  signal: AbortSignal,
  drop: (late: Value) => void,
  promise: Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(new ParlanceError('aborted', 'Connecting was given up.', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then((value) => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) drop(value)
      else resolve(value)
    }, reject)
  })
