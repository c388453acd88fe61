import type { PushStream } from '@parlance/async/push-stream'
import type { StreamMethod } from '@parlance/contracts'
import type { Bus } from '../bus.js'
import type { MethodAddress, StreamOptions } from '../call-context.js'
import { StreamCaller } from './stream-caller.js'

/** A stream of the server as a push stream: each start sends the request again, and an abort cancels the handler. */
export const consumeStream =
  (
    bus: Bus,
    address: MethodAddress,
    { chunk: schema, packing }: StreamMethod,
    request: unknown,
    { onBegin, ...options }: StreamOptions,
  ): PushStream<unknown> =>
  async (sink, signal) => {
    signal.throwIfAborted()
    let hasBegun = false
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => caller.cancel(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      const caller = new StreamCaller({
        ...options,
        bus,
        address,
        request,
        schema,
        packing,
        sink(chunk) {
          if (!hasBegun) onBegin?.()
          hasBegun = true
          return sink(chunk)
        },
        onOver(failure) {
          signal.removeEventListener('abort', onAbort)
          if (failure === undefined) resolve()
          else reject(failure.reason)
        },
      })
    })
  }
