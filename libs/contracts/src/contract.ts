import type { z } from 'zod'
import type { ErrorCode } from './service-error.js'

/** One request, one reply. */
export interface CallMethod<Request extends z.ZodType, Reply extends z.ZodType, Code extends ErrorCode> {
  readonly kind: 'call'
  readonly request: Request
  readonly reply: Reply
  readonly errors: readonly Code[]
}

/**
 * Encodes frequent chunks as a few numbers, because JSON and a schema would cost more than all other processing of them. Raw
 * bytes under the key `data` are not among the numbers: they are sent after them.
 */
export interface ChunkPacking<Chunk> {
  /** The numbers of a chunk without its `data`; undefined for a chunk that is sent as JSON. */
  pack(chunk: Chunk): readonly number[] | undefined
  /** Throws on a chunk that the schema would refuse. */
  unpack(numbers: readonly number[], data: Uint8Array): Chunk
}

/**
 * One request, many chunks. A chunk is a JSON object that may carry raw bytes under the key `data`
 * (a `Uint8Array`): those are sent after the JSON, not inside it.
 */
export interface StreamMethod<
  Request extends z.ZodType = z.ZodType,
  Chunk extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> {
  readonly kind: 'stream'
  readonly request: Request
  readonly chunk: Chunk
  readonly packing?: ChunkPacking<z.output<Chunk>>
  readonly errors: readonly Code[]
}

/**
 * One request, then chunks in both directions at once. Chunks are as those of a `StreamMethod`. The caller ends its
 * direction when it has nothing more to send; the handler's end ends the method.
 */
export interface DuplexMethod<
  Request extends z.ZodType = z.ZodType,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> {
  readonly kind: 'duplex'
  readonly request: Request
  /** A chunk from the caller to the handler. */
  readonly input: Input
  /** A chunk from the handler to the caller. */
  readonly output: Output
  readonly errors: readonly Code[]
}

/** A notification to all subscribers, if any. It has no reply. */
export interface EventMethod<Payload extends z.ZodType> {
  readonly kind: 'event'
  readonly payload: Payload
}

export type Method = CallMethod<z.ZodType, z.ZodType, ErrorCode> | StreamMethod | DuplexMethod | EventMethod<z.ZodType>

/** All methods of a service on the bus. Method `verifyKey` of contract `auth` is subject `parlance.auth.verifyKey`. */
export interface Contract<Methods extends Record<string, Method> = Record<string, Method>> {
  readonly name: string
  readonly version: string
  readonly description: string
  /** Callers may address one instance, or a lane. */
  readonly isAddressed?: true
  readonly methods: Methods
}

/** A method that answers a request with one reply. */
export const call = <Request extends z.ZodType, Reply extends z.ZodType, const Code extends ErrorCode = never>(spec: {
  request: Request
  reply: Reply
  errors?: readonly Code[]
}): CallMethod<Request, Reply, Code> => ({ kind: 'call', errors: [], ...spec })

/** A method that answers a request with a stream of chunks. */
export const stream = <Request extends z.ZodType, Chunk extends z.ZodType, const Code extends ErrorCode = never>(spec: {
  request: Request
  chunk: Chunk
  packing?: ChunkPacking<z.output<Chunk>>
  errors?: readonly Code[]
}): StreamMethod<Request, Chunk, Code> => ({ kind: 'stream', errors: [], ...spec })

/** A method that opens a stream in both directions. */
export const duplex = <
  Request extends z.ZodType,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Code extends ErrorCode = never,
>(spec: {
  request: Request
  input: Input
  output: Output
  errors?: readonly Code[]
}): DuplexMethod<Request, Input, Output, Code> => ({ kind: 'duplex', errors: [], ...spec })

/** A message to all subscribers, without a reply. */
export const event = <Payload extends z.ZodType>(spec: { payload: Payload }): EventMethod<Payload> => ({
  kind: 'event',
  ...spec,
})

/** A service's methods by name. The types of its client and its handlers are inferred from it. */
export const contract = <const Methods extends Record<string, Method>>(spec: Contract<Methods>): Contract<Methods> =>
  spec
