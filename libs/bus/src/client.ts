import type { PushStream, Sink } from '@parlance/async/push-stream'
import type { CallMethod, Contract, DuplexMethod, EventMethod, StreamMethod } from '@parlance/contracts'
import type { z } from 'zod'
import type { Bus, Subscription } from './bus.js'
import { callRaw } from './call.js'
import type { CallOptions, DuplexOptions, StreamOptions } from './call-context.js'
import { type DuplexCall, openDuplex } from './stream/open-duplex.js'
import { consumeStream } from './stream/stream-caller.js'
import { subjectOf } from './subject.js'
import { decodeJson, encodeJson, tryDecodeJson } from './wire.js'

type MethodsOf<C extends Contract, Kind extends string> = {
  [M in keyof C['methods'] as C['methods'][M] extends { kind: Kind } ? M : never]: C['methods'][M]
}

type Call<M> =
  M extends CallMethod<infer Request, infer Reply, infer _Code>
    ? (request: z.input<Request>, options?: CallOptions) => Promise<z.output<Reply>>
    : never

type RawCall<M> =
  M extends CallMethod<infer Request, infer _Reply, infer _Code>
    ? (request: z.input<Request>, options?: CallOptions) => Promise<Uint8Array>
    : never

type Stream<M> =
  M extends StreamMethod<infer Request, infer Chunk, infer _Code>
    ? (request: z.input<Request>, options?: StreamOptions) => PushStream<z.output<Chunk>>
    : never

type Duplex<M> =
  M extends DuplexMethod<infer Request, infer Input, infer Output, infer _Code>
    ? (request: z.input<Request>, sink: Sink<z.output<Output>>, options?: DuplexOptions) => DuplexCall<z.input<Input>>
    : never

type Event<M> =
  M extends EventMethod<infer Payload>
    ? {
        publish(payload: z.input<Payload>): void
        /** A payload that breaks the contract is dropped. */
        subscribe(onEvent: (payload: z.output<Payload>) => void): Subscription
      }
    : never

/**
 * A contract as its callers see it. Calls and streams reject with `ServiceError`, or with the reason of the caller's own
 * signal. A stream is a push stream: each start sends the request again, and an abort stops the handler. A bidirectional
 * stream begins at once. `raw` resolves with a reply's JSON in UTF-8 as the service wrote it, not parsed.
 */
export type Client<C extends Contract> = {
  [M in keyof MethodsOf<C, 'call'>]: Call<C['methods'][M]>
} & {
  [M in keyof MethodsOf<C, 'stream'>]: Stream<C['methods'][M]>
} & {
  [M in keyof MethodsOf<C, 'duplex'>]: Duplex<C['methods'][M]>
} & {
  [M in keyof MethodsOf<C, 'event'>]: Event<C['methods'][M]>
} & {
  raw: { [M in keyof MethodsOf<C, 'call'>]: RawCall<C['methods'][M]> }
}

/** The calls, streams and events of a contract over the bus. Errors: see `Client`. */
export const createClient = <C extends Contract>(bus: Bus, contract: C): Client<C> => {
  const client: Record<string, unknown> = {}
  const raw: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(contract.methods)) {
    const address = { service: contract.name, method: name, version: contract.version }
    const subject = subjectOf(contract.name, name)
    switch (method.kind) {
      case 'call': {
        const call = (request: unknown, options: CallOptions = {}) => callRaw(bus, address, request, options)
        raw[name] = call
        client[name] = async (request: unknown, options?: CallOptions) =>
          method.reply.parse(decodeJson(await call(request, options)))
        break
      }
      case 'stream':
        client[name] = (request: unknown, options: StreamOptions = {}) =>
          consumeStream(bus, address, method, request, options)
        break
      case 'duplex':
        client[name] = (request: unknown, sink: Sink<unknown>, options: DuplexOptions = {}) =>
          openDuplex(bus, address, method, request, sink, options)
        break
      case 'event':
        client[name] = {
          publish: (payload: unknown) => bus.publish(subject, encodeJson(method.payload.parse(payload))),
          subscribe: (onEvent: (payload: unknown) => void) =>
            bus.subscribe(subject, ({ data }) => {
              const payload = method.payload.safeParse(tryDecodeJson(data))
              if (payload.success) onEvent(payload.data)
            }),
        }
        break
    }
  }
  return { ...client, raw } as Client<C>
}
