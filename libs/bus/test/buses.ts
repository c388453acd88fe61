import { randomUUID } from 'node:crypto'
import { bytesSchema, type ChunkPacking, call, contract, event, stream } from '@parlance/contracts'
import { describeWithPrograms, startNatsServer } from '@parlance/testing'
import { z } from 'zod'
import type { Bus } from '../src/index.js'
import { connectNatsBus, createInProcessBus } from '../src/index.js'
import { encodeChunk as encodePieces, handlerFrame } from '../src/stream/stream-frame.js'

/** A made-up service with a call, a stream and an event. */
export const kitchen = contract({
  name: 'kitchen',
  version: '1.2.3',
  description: 'For tests',
  methods: {
    cook: call({
      request: z.strictObject({ dish: z.string().min(1) }),
      reply: z.object({ served: z.string() }),
      errors: ['not_found'],
    }),
    courses: stream({
      request: z.strictObject({ count: z.int() }),
      chunk: z.object({ course: z.int(), data: bytesSchema.optional() }),
      errors: ['capacity_exhausted'],
    }),
    bell: event({ payload: z.object({ table: z.int() }) }),
  },
})

export interface BusPair {
  /** Two connections to the same bus, as two processes have; the in-process bus is both. */
  caller: Bus
  callee: Bus
  close(): Promise<void>
}

/** Runs a suite over every adapter. */
export const describeBuses = (name: string, suite: (open: () => Promise<BusPair>) => void): void => {
  describe(`${name}, in-process`, () =>
    suite(async () => {
      const bus = createInProcessBus()
      return { caller: bus, callee: bus, close: () => bus.close() }
    }))

  describeWithPrograms(['nats'], `${name}, NATS`, () => {
    let server: Awaited<ReturnType<typeof startNatsServer>>
    beforeAll(async () => {
      server = await startNatsServer()
    })
    afterAll(() => server.stop())
    suite(async () => {
      const [caller, callee] = await Promise.all([
        connectNatsBus({ url: server.url, name: 'caller' }),
        connectNatsBus({ url: server.url, name: 'callee' }),
      ])
      return {
        caller,
        callee,
        close: async () => {
          await Promise.all([caller.close(), callee.close()])
        },
      }
    })
  })
}

export const newInstanceId = () => randomUUID().slice(0, 8)

/** A chunk's frame in one part. */
export const encodeChunk = (sequence: number, chunk: object, packing?: ChunkPacking<unknown>) =>
  Buffer.concat(encodePieces(handlerFrame, sequence, chunk, packing))

/** A promise and its `resolve`, to await an event. */
export const signalled = <T = void>() => {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
