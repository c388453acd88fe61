import type { Sink } from '@parlance/async/push-stream'
import type { DuplexMethod } from '@parlance/contracts'
import type { Bus } from '../bus.js'
import type { DuplexOptions, MethodAddress } from '../call-context.js'
import { ChunkSender } from './chunk-sender.js'
import { createFrameBatch } from './frame-batch.js'
import { StreamCaller } from './stream-caller.js'
import { callerFrame } from './stream-frame.js'

/** The caller's side of a bidirectional stream. */
export interface DuplexCall<Input> {
  /**
   * Sends a chunk to the handler. Chunks may be sent at once; they wait here until the handler has answered, and while
   * its window is full. Returns nothing for a chunk that was sent, else a promise that resolves when no chunk waits.
   */
  send: Sink<Input>
  /** Ends the caller's direction after all chunks. */
  end(): void
  /** Leaves the stream at once; `ended` rejects with `reason`. */
  cancel(reason: unknown): void
  /**
   * Resolves when the handler has ended the stream, after its last chunk was taken. Rejects with `ServiceError`, with the error
   * of the sink, or with the reason of `cancel`.
   */
  readonly ended: Promise<void>
}

/** Sends the request at once. `sink` takes the handler's chunks. */
export const openDuplex = (
  bus: Bus,
  address: MethodAddress,
  { output: schema }: DuplexMethod,
  request: unknown,
  sink: Sink<unknown>,
  options: DuplexOptions,
): DuplexCall<object> => {
  const frames = createFrameBatch(
    (message) => caller.publish(message),
    (reason) => caller.cancel(reason),
  )
  const input = new ChunkSender(frames, callerFrame)
  let caller!: StreamCaller
  const ended = new Promise<void>((resolve, reject) => {
    caller = new StreamCaller({
      ...options,
      bus,
      address,
      request,
      schema,
      sink,
      input,
      onOver: (failure) => (failure === undefined ? resolve() : reject(failure.reason)),
    })
  })
  return {
    send: (chunk) => input.send(chunk),
    end: () => void input.end(),
    cancel: (reason) => caller.cancel(reason),
    ended,
  }
}
