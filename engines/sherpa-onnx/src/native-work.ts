import { createHook } from 'node:async_hooks'

/** The library's work in its own thread ended with an error of native code. */
export class NativeWorkError extends Error {
  override readonly name = 'NativeWorkError'
}

/** Between the end of the work and the promise that tells of it; in truth it is told at once. */
const settleWithinMs = 1000

/**
 * What `start` resolves to. When native code throws in the library's thread, the promise that the library gave is never
 * settled, and whoever waits for it waits for ever; so the end of the work itself is watched, which Node tells. Rejects
 * with `NativeWorkError` then.
 */
export const nativeWork = <Result>(start: () => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const works = new Set<number>()
    let timer: NodeJS.Timeout | undefined
    const hook = createHook({
      init: (id, type) => {
        if (type.endsWith('Worker')) works.add(id)
      },
      after: (id) => {
        if (!works.has(id)) return
        timer ??= setTimeout(() => {
          hook.disable()
          reject(new NativeWorkError('the model failed while it spoke'))
        }, settleWithinMs)
      },
    }).enable()
    start()
      .finally(() => {
        hook.disable()
        clearTimeout(timer)
      })
      .then(resolve, reject)
  })
