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
 * How those chunks travel of which there are so many that JSON and a schema would cost more than all else that is done
 * with them: as a few numbers. Raw bytes under the key `data` are not among them: they travel beside.
 */
export interface ChunkPacking<Chunk> {
  /** All of a chunk but its `data`; undefined for one that travels as JSON. */
  pack(chunk: Chunk): readonly number[] | undefined
  /** Throws on what the schema would refuse. */
  unpack(numbers: readonly number[], data: Uint8Array): Chunk
}

/**
 * One request, many chunks. A chunk is a JSON object that may carry raw bytes under the key `data`
 * (a `Uint8Array`): those travel beside the JSON, not inside it.
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

/** A fact that is told to whoever listens; nobody answers and nobody may be there. */
export interface EventMethod<Payload extends z.ZodType> {
  readonly kind: 'event'
  readonly payload: Payload
}

export type Method = CallMethod<z.ZodType, z.ZodType, ErrorCode> | StreamMethod | EventMethod<z.ZodType>

/** A service's whole surface on the bus. Method `verifyKey` of contract `auth` is subject `parlance.auth.verifyKey`. */
export interface Contract<Methods extends Record<string, Method> = Record<string, Method>> {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly methods: Methods
}

export const call = <Request extends z.ZodType, Reply extends z.ZodType, const Code extends ErrorCode = never>(spec: {
  request: Request
  reply: Reply
  errors?: readonly Code[]
}): CallMethod<Request, Reply, Code> => ({ kind: 'call', errors: [], ...spec })

export const stream = <Request extends z.ZodType, Chunk extends z.ZodType, const Code extends ErrorCode = never>(spec: {
  request: Request
  chunk: Chunk
  packing?: ChunkPacking<z.output<Chunk>>
  errors?: readonly Code[]
}): StreamMethod<Request, Chunk, Code> => ({ kind: 'stream', errors: [], ...spec })

export const event = <Payload extends z.ZodType>(spec: { payload: Payload }): EventMethod<Payload> => ({
  kind: 'event',
  ...spec,
})

export const contract = <const Methods extends Record<string, Method>>(spec: Contract<Methods>): Contract<Methods> =>
  spec
