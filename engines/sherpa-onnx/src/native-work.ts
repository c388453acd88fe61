import { createHook } from 'node:async_hooks'

/** The library's work in its own thread ended with an error of native code. */
export class NativeWorkError extends Error {
  override readonly name = 'NativeWorkError'
}

/** The longest time from the end of the work to the settling of its promise, which follows at once. */
const settleWithinMs = 1000

/**
 * Resolves with the result of `start`. When native code throws in the library's thread, the promise of the library is never
 * settled. Therefore the end of the work is observed by an async hook: rejects with `NativeWorkError` when the promise does
 * not settle after it.
 */
export const nativeWork = <Result>(start: () => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const works = new Set<number>()
    let timer: NodeJS.Timeout | undefined
    // Work that begins later is another call's.
    let isStarting = true
    const hook = createHook({
      init: (id, type) => {
        if (isStarting && type.endsWith('Worker')) works.add(id)
      },
      after: (id) => {
        if (!works.has(id)) return
        timer ??= setTimeout(() => {
          hook.disable()
          reject(new NativeWorkError('the model failed during synthesis'))
        }, settleWithinMs)
      },
    }).enable()
    const started = start()
    isStarting = false
    started
      .finally(() => {
        hook.disable()
        clearTimeout(timer)
      })
      .then(resolve, reject)
  })
