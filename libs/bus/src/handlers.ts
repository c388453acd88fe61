import type { CallMethod, Contract, DuplexMethod, ErrorCode, StreamMethod } from '@parlance/contracts'
import type { z } from 'zod'
import type { CallContext } from './call-context.js'
import type { DuplexPeer } from './stream/answer-duplex.js'

/** The context of a request, for its handler. */
export interface HandlerContext<Code extends ErrorCode = ErrorCode> {
  /** Throws one of the errors that the method declares. */
  fail(code: Code, detail: string): never
  /** Aborted when the caller's deadline has passed or, in a stream, when the caller has disconnected. */
  readonly signal: AbortSignal
  readonly context: CallContext
  /** The time until the caller's deadline when the request arrived, in ms. */
  readonly deadlineMs: number
}

type Awaitable<T> = T | Promise<T>

type HandlerOf<M> =
  M extends CallMethod<infer Request, infer Reply, infer Code>
    ? (request: z.output<Request>, context: HandlerContext<Code>) => Awaitable<z.input<Reply> | Uint8Array>
    : M extends StreamMethod<infer Request, infer Chunk, infer Code>
      ? (request: z.output<Request>, context: HandlerContext<Code>) => AsyncIterable<z.input<Chunk>>
      : M extends DuplexMethod<infer Request, infer Input, infer Output, infer Code>
        ? (
            request: z.output<Request>,
            context: HandlerContext<Code>,
            peer: DuplexPeer<z.output<Input>, z.input<Output>>,
          ) => Promise<void>
        : never

/**
 * One function per method. A call returns its reply, or the reply's JSON as bytes. A stream returns an async iterable of
 * chunks. A bidirectional stream ends when its handler resolves.
 */
export type Handlers<C extends Contract> = {
  [M in keyof C['methods'] as C['methods'][M] extends { kind: 'event' } ? never : M]: HandlerOf<C['methods'][M]>
}

export type AnyHandler = (request: unknown, context: HandlerContext, peer?: DuplexPeer<unknown, object>) => unknown
