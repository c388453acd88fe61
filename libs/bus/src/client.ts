import type { CallMethod, Contract, EventMethod, StreamMethod } from '@parlance/contracts'
import type { z } from 'zod'
import type { CallOptions } from './call-context.js'

/** Reply bytes as the service wrote them: JSON in UTF-8, to be passed on without parsing. */
export interface RawCalls<C extends Contract> {
  raw: {
    [M in keyof C['methods'] as C['methods'][M] extends { kind: 'call' } ? M : never]: C['methods'][M] extends CallMethod<
      infer Request,
      z.ZodType,
      never
    >
      ? (request: z.input<Request>, options?: CallOptions) => Promise<Uint8Array>
      : never
  }
}

/** A contract seen by its callers. Every method rejects with `ServiceError` and with nothing else. */
export type Client<C extends Contract> = {
  [M in keyof C['methods']]: C['methods'][M] extends CallMethod<infer Request, infer Reply, infer _Code>
    ? (request: z.input<Request>, options?: CallOptions) => Promise<z.output<Reply>>
    : C['methods'][M] extends StreamMethod<infer Request, infer Chunk, infer _Code>
      ? (request: z.input<Request>, options?: CallOptions) => AsyncIterableIterator<z.output<Chunk>>
      : C['methods'][M] extends EventMethod<infer Payload>
        ? {
            publish(payload: z.input<Payload>): void
            subscribe(onEvent: (payload: z.output<Payload>) => void): Subscription
          }
        : never
} & RawCalls<C>
import type { Subscription } from './bus.js'
