import { maxLeasedNano } from '@parlance/clients/credit'
import { connectRedisTtlStore, createMemoryTtlStore, type ScriptReply, type TtlStore } from '@parlance/store'
import { describeWithPrograms, startRedisServer, type TestServer } from '@parlance/testing'
import fc from 'fast-check'
import {
  dropScript,
  fundScript,
  listReservationsScript,
  openScript,
  readScript,
} from '../../src/credit/counter/lease-scripts.js'
import { renewScript, reserveScript, resolveScript } from '../../src/credit/counter/reservation-scripts.js'

/** Longer than a test run, or already over when it begins, so that no test depends on its speed. */
const long = 1_000_000_000
const durations = fc.constantFrom('0', `${long}`)

const lease = fc.constantFrom('lease-1', 'lease-1', 'lease-1', 'lease-2')
const reservation = fc.constantFrom('hold-1', 'hold-2', 'hold-3', 'hold-4')
const amount = fc
  .oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 10n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: maxLeasedNano }) },
    { weight: 1, arbitrary: fc.constantFrom(maxLeasedNano, maxLeasedNano - 1n, 10n ** 15n, 999_999_999_999_999n) },
  )
  .map(String)

/** Weighted so that a random history reaches many states. */
const step = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(fc.constant(openScript), lease, durations) },
  { weight: 3, arbitrary: fc.tuple(fc.constant(fundScript), lease, amount, durations) },
  { weight: 6, arbitrary: fc.tuple(fc.constant(reserveScript), reservation, amount) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(renewScript), lease, reservation) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant(resolveScript), lease, reservation, fc.constantFrom('0', '1', '7')),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constant(readScript)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant(listReservationsScript), lease, fc.constantFrom('all', 'expired')),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant(dropScript), lease) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const history = fc
  .array(step, { minLength: 5, maxLength: 60 })
  .map((steps): Step[] => [
    [openScript, 'lease-1', `${long}`],
    [fundScript, 'lease-1', '20', `${long}`],
    ...steps,
    [readScript],
  ])

/** A hash has no order, so the listed reservations have none. */
const comparable = (script: Step[0], reply: ScriptReply): ScriptReply => {
  if (script !== listReservationsScript || reply === null) return reply
  const [reserved, ...pairs] = reply as string[]
  return [reserved!, ...pairs.flatMap((id, at) => (at % 2 === 0 ? [`${id} ${pairs[at + 1]}`] : [])).sort()]
}

const runHistory = async (store: TtlStore, key: string, steps: readonly Step[]): Promise<ScriptReply[]> => {
  const replies: ScriptReply[] = []
  for (const [script, ...args] of steps) {
    replies.push(comparable(script, await store.run<ScriptReply>(script, [key], args as string[])))
  }
  return replies
}

describeWithPrograms(['redis'], 'the scripts of the counter', () => {
  let server: TestServer
  let redis: TtlStore
  let memory: TtlStore
  let histories = 0

  beforeAll(async () => {
    server = await startRedisServer()
    redis = await connectRedisTtlStore({ url: server.url })
    memory = createMemoryTtlStore()
  })
  afterAll(async () => {
    await Promise.all([redis.close(), memory.close()])
    await server.stop()
  })

  test('return the same results in Redis and in memory, for any sequence of operations', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const key = `credit:{${histories++}}`
        const [inRedis, inMemory] = [await runHistory(redis, key, steps), await runHistory(memory, key, steps)]
        expect(inRedis).toEqual(inMemory)
      }),
      { numRuns: 1_000 },
    )
  })

  test('reserve no more than was leased, and end each reservation once', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const key = `credit:{${histories++}}`
        for (const [script, ...given] of steps) {
          // The ledger charges at most the reserved amount: here zero.
          const args = (script === resolveScript ? [...given.slice(0, 2), '0'] : given) as string[]
          const reply = await memory.run<ScriptReply>(script, [key], args)
          const found = await memory.run(readScript, [key])
          if (found !== null) {
            const [, leased, settled, reserved] = found
            expect(BigInt(settled) + BigInt(reserved)).toBeLessThanOrEqual(BigInt(leased))
          }
          if (script === resolveScript && reply === 1) expect(await memory.run(script, [key], args)).toBe(0)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('a counter is kept while it has a reservation, even one of zero credit', async () => {
    for (const store of [redis, memory]) {
      const key = `credit:{nothing ${store === redis}}`
      const fund = (term: string) => store.run(fundScript, [key], ['lease', '1', term])
      await store.run(openScript, [key], ['lease', `${long}`])
      await fund(`${long}`)
      await store.run(reserveScript, [key], ['nothing', '0'])
      await fund('0')
      expect(await store.run(dropScript, [key], ['lease'])).toBe(0)
      await store.run(resolveScript, [key], ['lease', 'nothing', '0'])
      expect(await store.run(dropScript, [key], ['lease'])).toBe(1)
    }
  })

  test('count exactly up to the maximum of a lease, to a billionth', async () => {
    for (const store of [redis, memory]) {
      const key = `credit:{exact ${store === redis}}`
      await store.run(openScript, [key], ['lease', `${long}`])
      await store.run(fundScript, [key], ['lease', `${maxLeasedNano}`, `${long}`])
      expect(await store.run(reserveScript, [key], ['all but one', `${maxLeasedNano - 1n}`])).toContain('held')
      expect(await store.run(reserveScript, [key], ['two', '2'])).toEqual(['short'])
      expect(await store.run(reserveScript, [key], ['one', '1'])).toContain('held')
      expect(await store.run(resolveScript, [key], ['lease', 'all but one', `${maxLeasedNano - 1n}`])).toBe(1)
      expect(await store.run(readScript, [key])).toEqual([
        'lease',
        `${maxLeasedNano}`,
        `${maxLeasedNano - 1n}`,
        '1',
        1,
        1,
      ])
    }
  })
})
