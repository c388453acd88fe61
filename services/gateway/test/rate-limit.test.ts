import { ServiceError } from '@parlance/contracts'
import {
  connectRedisTtlStore,
  createMemoryTtlStore,
  type MemoryEntries,
  type TtlStore,
  takePermit,
} from '@parlance/store'
import { describeWithPrograms, startRedisServer, testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { createRateLimiter } from '../src/authentication/rate-limiter.js'
import { expectError } from './expect-error.js'
import { keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { describeSharedStores } from './shared-stores.js'

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const limitsOf = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`)).map((n) => n && Number(n))

describeSharedStores('two gateways', (open) => {
  let gateways: OpenGateway[] = []
  const openTwo = async (perMinute: number) => {
    gateways = [
      await openGateway({ ttl: await open(), perMinute }),
      await openGateway({ ttl: await open(), perMinute }),
    ]
    return gateways as [OpenGateway, OpenGateway]
  }
  beforeEach(async () => {
    const store = await open()
    for (const id of [workspaceId, otherWorkspaceId]) await store.delete(`rate:{${id}}`)
  })
  afterEach(async () => {
    for (const gateway of gateways) await gateway.close()
    gateways = []
  })

  test('admit exactly the limit, however many arrive at once, and report the remaining number', async () => {
    // A permit is restored every 10 s, which is longer than all requests take on a busy machine.
    const perMinute = 6
    const two = await openTwo(perMinute)
    const answers = await Promise.all(Array.from({ length: 90 }, (_, n) => two[n % 2]!.get('/v1/voices')))
    const served = answers.filter(({ status }) => status === 200)
    expect(served).toHaveLength(perMinute)
    // All numbers differ, so no two requests were given the same permit.
    const left = served.map((answer) => limitsOf(answer)[1] as number).sort((a, b) => a - b)
    expect(left).toEqual(Array.from({ length: perMinute }, (_, n) => n))
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const [limit, none, reset] = limitsOf(answer)
      expect([limit, none]).toEqual([perMinute, 0])
      // The time since the last permit was granted is part of the 10 s, and of the minute.
      expect(reset).toBeGreaterThan(50)
      expect(reset).toBeLessThanOrEqual(60)
      const retryAfterSeconds = Number(answer.headers.get('retry-after'))
      expect(retryAfterSeconds).toBeGreaterThan(0)
      expect(retryAfterSeconds).toBeLessThanOrEqual(10)
      await expectError(answer, 'rate_limited')
    }
  })

  test('are counted for each workspace separately', async () => {
    const [first, second] = await openTwo(1)
    expect((await first.get('/v1/voices')).status).toBe(200)
    expect((await second.get('/v1/voices')).status).toBe(429)
    expect((await second.get('/v1/voices', bearer(keys.ofOther))).status).toBe(200)
    expect((await first.get('/v1/voices', bearer(keys.ofOther))).status).toBe(429)
  })

  test('allow a request again after the time in Retry-After', async () => {
    const [gateway] = await openTwo(60)
    let refused = await gateway.get('/v1/voices')
    while (refused.status === 200) refused = await gateway.get('/v1/voices')
    await new Promise((resolve) => setTimeout(resolve, Number(refused.headers.get('retry-after')) * 1000))
    expect((await gateway.get('/v1/voices')).status).toBe(200)
  })
})

describe('a counted request', () => {
  let gateway: OpenGateway
  beforeEach(async () => {
    gateway = await openGateway({ perMinute: 2 })
  })
  afterEach(() => gateway.close())

  test('has the rate limit headers, also when it is refused for another reason', async () => {
    expect(limitsOf(await gateway.get('/v1/voices'))).toEqual([2, 1, 30])
    const wrong = await gateway.post('/v1/tts', { nonsense: 1 })
    await expectError(wrong, 'invalid_request')
    const refused = await gateway.post('/v1/tts', { nonsense: 1 })
    for (const answer of [wrong, refused]) {
      const [limit, none, reset] = limitsOf(answer)
      expect([limit, none]).toEqual([2, 0])
      // The time since the first request is part of it.
      expect(reset).toBeGreaterThan(30)
      expect(reset).toBeLessThanOrEqual(60)
    }
    const retryAfterSeconds = Number(refused.headers.get('retry-after'))
    expect(retryAfterSeconds).toBeGreaterThan(0)
    expect(retryAfterSeconds).toBeLessThanOrEqual(30)
    await expectError(refused, 'rate_limited')
  })

  test('only requests with a valid key take a permit', async () => {
    const without = async (key: string, path = '/v1/tts') => {
      const response = await gateway.post(path, {}, { headers: bearer(key) })
      expect(limitsOf(response)).toEqual([null, null, null])
      return response.status
    }
    for (let n = 0; n < 3; n++) {
      expect(await without('unknown')).toBe(401)
      expect(await without(keys.suspended)).toBe(403)
      expect(await without(keys.withoutTts)).toBe(403)
    }
    expect(limitsOf(await gateway.get('/v1/voices'))).toEqual([2, 1, 30])
  })
})

test('requests that need no key are not counted', async () => {
  const gateway = await openGateway({ perMinute: 1 })
  for (const path of ['/docs/', '/v1/openapi.json', '/docs/']) {
    const response = await gateway.get(path)
    expect([response.status, ...limitsOf(response)]).toEqual([200, null, null, null])
  }
  await gateway.close()
})

test('all requests are allowed while the store cannot be reached', async () => {
  const ttl = createMemoryTtlStore()
  const unreachable: TtlStore = {
    ...ttl,
    run: async () => {
      throw new ServiceError('unavailable', 'A store we depend on cannot be reached. Try again.')
    },
  }
  const gateway = await openGateway({ ttl: unreachable, perMinute: 1 })
  for (let n = 0; n < 3; n++) {
    const response = await gateway.get('/v1/voices')
    expect([response.status, ...limitsOf(response)]).toEqual([200, null, null, null])
  }
  await gateway.close()
  await ttl.close()
})

test('without a limit, the store is not called', async () => {
  const limitRate = createRateLimiter({ ttl: { run: () => Promise.reject(new Error('asked')) }, perMinute: 0 })
  expect(await limitRate('a')).toBeUndefined()
})

describe('permits', () => {
  /** The script in memory, on the clock of the test. */
  const createBucket = (limit: number, periodMs = 60_000) => {
    const kept = new Map<string, unknown>()
    let nowMs = 1_700_000_000_000
    const entries: MemoryEntries = {
      get: (key) => kept.get(key),
      set: (key, value) => void kept.set(key, value),
      delete: (key) => kept.delete(key),
      nowMs: () => nowMs,
    }
    return {
      take: () => takePermit.inMemory(entries, ['bucket'], [String(limit), String(periodMs)]),
      wait: (ms: number) => {
        nowMs += ms
      },
    }
  }

  test('are restored evenly: the limit in a minute, and never more than that at once', () => {
    const bucket = createBucket(7)
    const takeTen = () => Array.from({ length: 10 }, () => bucket.take()[0]).filter((granted) => granted === 1).length
    expect(takeTen()).toBe(7)
    expect(bucket.take()).toEqual([0, 0, 60_000, 8572])
    bucket.wait(8571)
    expect(takeTen()).toBe(0)
    bucket.wait(1)
    expect(takeTen()).toBe(1)
    bucket.wait(3_600_000)
    expect(takeTen()).toBe(7)
  })

  test('are not lost by rounding over many small steps', () => {
    const bucket = createBucket(7)
    for (let n = 0; n < 7; n++) bucket.take()
    let granted = 0
    for (let ms = 0; ms < 600_000; ms += 3) {
      bucket.wait(3)
      granted += bucket.take()[0]
    }
    expect(granted).toBe(70)
  })

  describeWithPrograms(['redis'], 'in Redis', () => {
    test('are the same as in memory, step by step', async () => {
      const server = await startRedisServer()
      const redis = await connectRedisTtlStore({ url: server.url })
      // Both use the test's clock, and nothing expires by the server's clock.
      const lua = takePermit.lua.replace(`redis.call('TIME')`, '{ARGV[3], ARGV[4]}').replace(/, 'PX'[^)]*\)\)/, ')')
      expect(lua).not.toMatch(/TIME|PX/)
      const seed = testSeed()
      const waitMs = fc.oneof(fc.nat(50), fc.nat(100_000))
      let run = 0
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100_000_000 })),
          fc.array(waitMs, { maxLength: 30 }),
          fc.constantFrom(60_000, 3_600_000),
          async (limit, waits, periodMs) => {
            const bucket = createBucket(limit, periodMs)
            const key = `bucket:${run++}`
            let nowMs = 1_700_000_000_000
            for (const waitMs of waits) {
              bucket.wait(waitMs)
              nowMs += waitMs
              const time = [String(Math.floor(nowMs / 1000)), String((nowMs % 1000) * 1000 + 999)]
              const inRedis = await redis.run({ ...takePermit, lua }, [key], [String(limit), String(periodMs), ...time])
              expect(inRedis).toEqual(bucket.take())
            }
          },
        ),
        { seed, numRuns: 100 },
      )
      process.stdout.write(`permits: seed ${seed}\n`)
      await redis.close()
      await server.stop()
    })
  })
})
