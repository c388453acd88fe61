import { iterate, type PushStream, pushStreamFrom } from '@parlance/async/push-stream'
import { ServiceError } from '@parlance/contracts'
import fc from 'fast-check'
import { type Attempt, createFailover } from '../src/failover.js'

/** What becomes of one attempt: how many chunks come, and the error after them, if it fails. */
interface Script {
  readonly healthy: boolean
  readonly full: boolean
  readonly chunks: number
  readonly error: Error | undefined
}

const full = new ServiceError('capacity_exhausted', 'All are busy.')
const failures = [
  new ServiceError('upstream_error', 'It stopped.'),
  new ServiceError('upstream_timeout', 'It did not answer.'),
  new ServiceError('capacity_exhausted', 'Too many requests.'),
  new Error('a mistake in the engine'),
]
const faultsOfRequest = [new ServiceError('invalid_request', 'No.'), new ServiceError('draining', 'It stops.')]

const play = (scripts: readonly Script[], signal = new AbortController().signal) => {
  const calls: string[] = []
  const left: string[] = []
  const fallbacks: string[] = []
  const attempts = scripts.map(({ healthy, full: isFull, chunks, error }, index): Attempt<string> => {
    const engine = `e${index}`
    return {
      engine,
      healthy: () => healthy,
      speak() {
        calls.push(engine)
        if (isFull) throw full
        return pushStreamFrom(async function* () {
          try {
            for (let n = 0; n < chunks; n++) yield `${engine} ${n}`
            if (error !== undefined) throw error
          } finally {
            left.push(engine)
          }
        })
      },
    }
  })
  const [first, ...others] = attempts
  const stream: PushStream<string> = createFailover([first!, ...others], (from, to) => fallbacks.push(`${from} ${to}`))
  const chunks = iterate(stream, signal)
  return { calls, left, fallbacks, chunks }
}

const read = async (chunks: AsyncIterable<string>) => {
  const received: string[] = []
  try {
    for await (const chunk of chunks) received.push(chunk)
    return { received, thrown: undefined }
  } catch (thrown) {
    return { received, thrown }
  }
}

const script = fc.record({
  healthy: fc.boolean(),
  full: fc.boolean(),
  chunks: fc.nat({ max: 3 }),
  error: fc.option(fc.constantFrom(...failures, ...faultsOfRequest), { nil: undefined }),
})

/** The same rule once more, without anything asynchronous. */
const expected = (scripts: readonly Script[]) => {
  const indexed = scripts.map((each, index) => ({ ...each, index }))
  const healthy = indexed.filter((each) => each.healthy)
  const tried = healthy.length > 0 ? healthy : indexed.slice(0, 1)
  const calls: string[] = []
  let failure: unknown
  for (const { index, full: isFull, chunks, error } of tried) {
    calls.push(`e${index}`)
    if (isFull && failure === undefined) return { calls, received: [], thrown: full }
    const failed = isFull ? full : chunks === 0 ? error : undefined
    if (failed === undefined) {
      return { calls, received: Array.from({ length: chunks }, (_, n) => `e${index} ${n}`), thrown: error }
    }
    if (faultsOfRequest.some((fault) => fault === failed)) return { calls, received: [], thrown: failed }
    failure ??= failed
  }
  return { calls, received: [], thrown: failure }
}

test('for any chain, all chunks come from one attempt, the first that produced one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 4 }), async (scripts) => {
      const played = play(scripts)
      const outcome = await read(played.chunks)
      const wanted = expected(scripts)
      expect(outcome).toEqual({ received: wanted.received, thrown: wanted.thrown })
      expect(played.calls).toEqual(wanted.calls)
      // Whatever was begun was ended.
      expect(played.left).toEqual(played.calls.filter((engine) => !scripts[Number(engine.slice(1))]!.full))
      // Each engine but the first was reached by a fallback.
      expect(played.fallbacks.map((each) => each.split(' ')[1])).toEqual(
        wanted.calls.filter((engine) => engine !== 'e0'),
      )
    }),
    { numRuns: 500 },
  )
})

const works: Script = { healthy: true, full: false, chunks: 2, error: undefined }
const fails: Script = { ...works, chunks: 0, error: failures[0] }

test('no engine is called before the stream starts, and then at once', () => {
  const { calls, chunks } = play([works, works])
  expect(calls).toEqual([])
  void chunks.next()
  expect(calls).toEqual(['e0'])
})

test('an abort is not a failure of the engine: no other engine is called', async () => {
  const controller = new AbortController()
  const reason = new Error('hung up')
  const { calls, chunks } = play([{ ...fails, error: reason }, works], controller.signal)
  controller.abort(reason)
  expect(await read(chunks)).toEqual({ received: [], thrown: reason })
  expect(calls).toEqual(['e0'])
})

test('leaving the loop ends the attempt that speaks', async () => {
  const { left, chunks } = play([fails, works])
  for await (const _ of chunks) break
  while (left.length < 2) await new Promise(setImmediate)
  expect(left).toEqual(['e0', 'e1'])
})
