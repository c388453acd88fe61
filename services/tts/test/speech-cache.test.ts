import type { SynthesisChunk, TimedText, TimedViseme } from '@parlance/contracts'
import { connectRedisTtlStore, createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { describeWithPrograms, startRedisServer, type TestServer } from '@parlance/testing'
import fc from 'fast-check'
import { createMemorySpeechCache } from '../src/cache/memory-speech-cache.js'
import { readSpeech, recordSpeech } from '../src/cache/recorded-speech.js'
import type { SpeechCache } from '../src/cache/speech-cache.js'
import { createStoreSpeechCache } from '../src/cache/store-speech-cache.js'

const maxBytes = 40_000
const speechOf = (fill: number, bytes = 1_000) => new Uint8Array(bytes).fill(fill)

const keepsTheContract = (open: () => SpeechCache): void => {
  let cache: SpeechCache
  beforeEach(() => {
    cache = open()
  })
  const has = async (keys: readonly string[]) => {
    const found: string[] = []
    for (const key of keys) if ((await cache.get(key)) !== undefined) found.push(key)
    return found
  }

  test('a speech is read as it was written, and an unknown key has none', async () => {
    const every = new Uint8Array(1_024).map((_, n) => n)
    await cache.put('every', every)
    expect(new Uint8Array((await cache.get('every'))!)).toEqual(every)
    expect(await cache.get('nothing')).toBeUndefined()
  })

  test('writing a key again replaces what was there, and counts once', async () => {
    for (let n = 0; n < 100; n++) await cache.put('same', speechOf(n, 2_000))
    await cache.put('other', speechOf(1))
    expect((await cache.get('same'))![0]).toBe(99)
    expect(await has(['other'])).toEqual(['other'])
  })

  test('at the limit, the least recently requested speech is deleted, and no more than necessary', async () => {
    const keys = Array.from({ length: 60 }, (_, n) => `key ${n}`)
    await cache.put('greeting', speechOf(7))
    for (const [n, key] of keys.entries()) {
      await cache.put(key, speechOf(n))
      expect(await has(['greeting', key])).toEqual(['greeting', key])
    }
    const left = await has(keys)
    expect(left).toEqual(keys.slice(-left.length))
    expect(left.length).toBeGreaterThan(15)
    expect(left.length * 1_000).toBeLessThan(maxBytes)
  })

  test('a speech that exceeds its share replaces nothing', async () => {
    await cache.put('small', speechOf(1))
    await cache.put('large', speechOf(2, maxBytes / 8))
    expect(await has(['small', 'large'])).toEqual(['small'])
  })
}

describe('speeches in memory', () => {
  keepsTheContract(() => createMemorySpeechCache(maxBytes))

  test('their size is counted to the byte, for any sequence of operations', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 6_000 })), { maxLength: 80 }), (puts) => {
        const reported: number[] = []
        const cache = createMemorySpeechCache(maxBytes, (bytes) => reported.push(bytes))
        for (const [key, bytes] of puts) {
          cache.put(`${key}`, speechOf(0, bytes))
          expect(cache.bytes()).toBeLessThanOrEqual(maxBytes)
        }
        const held = Array.from({ length: 13 }, (_, key) => [`${key}`, cache.get(`${key}`)] as const)
        const sum = held.reduce(
          (bytes, [key, speech]) => bytes + (speech ? speech.byteLength + key.length + 200 : 0),
          0,
        )
        expect(cache.bytes()).toBe(sum)
        if (reported.length > 0) expect(reported.at(-1)).toBe(sum)
      }),
    )
  })

  test('a view of a larger buffer does not retain that buffer', () => {
    const cache = createMemorySpeechCache(maxBytes)
    cache.put('piece', new Uint8Array(new ArrayBuffer(1_000_000), 10, 20))
    expect(cache.get('piece')!.buffer.byteLength).toBe(20)
  })
})

const inStore = (store: TtlStore, ttlMs = 60_000) => createStoreSpeechCache({ store, maxBytes, ttlMs })

/** What holds of a cache that is shared and whose entries expire. */
const keepsWhatIsShared = (open: () => TtlStore): void => {
  test('speech that one worker stores is found by another', async () => {
    await inStore(open()).put('shared', speechOf(3))
    expect((await inStore(open()).get('shared'))?.[0]).toBe(3)
  })

  test('an entry that is not requested in its lifetime expires, and takes no memory', async () => {
    const cache = inStore(open(), 150)
    for (let n = 0; n < 20; n++) await cache.put(`brief ${n}`, speechOf(n))
    while ((await inStore(open(), 150).get('brief 19')) !== undefined) await new Promise((go) => setTimeout(go, 200))
    // These live for longer than a busy machine takes to store them.
    const lasting = inStore(open())
    for (let n = 0; n < 20; n++) await lasting.put(`later ${n}`, speechOf(n))
    expect(await lasting.get('later 0')).toBeDefined()
  })
}

describe('speeches in a store that is memory', () => {
  let store: TtlStore
  beforeEach(() => {
    store = createMemoryTtlStore()
  })
  afterEach(() => store.close())
  keepsTheContract(() => inStore(store))
  keepsWhatIsShared(() => store)
})

describeWithPrograms(['redis'], 'speeches in Redis', () => {
  let redis: TestServer
  let store: TtlStore
  beforeAll(async () => {
    redis = await startRedisServer()
    store = await connectRedisTtlStore({ url: redis.url })
  })
  afterAll(async () => {
    await store.close()
    await redis.stop()
  })
  const clear = { name: 'clear', lua: "redis.call('FLUSHDB') return 0", inMemory: () => 0 }
  beforeEach(() => store.run(clear, ['{speech-cache}:index']))
  keepsTheContract(() => inStore(store))
  keepsWhatIsShared(() => store)
})

describe('a recorded speech', () => {
  const time = fc.double({ min: 0, max: 1e6, noNaN: true }).map(Math.round)
  const chunk: fc.Arbitrary<SynthesisChunk> = fc.oneof(
    fc.record({
      event: fc.constant('audio' as const),
      seq: fc.nat(),
      segment: fc.nat(),
      start_ms: time,
      duration_ms: time,
      data: fc.uint8Array({ maxLength: 300 }),
    }),
    fc.record({ event: fc.constant('segment' as const), segment: fc.nat(), characters: fc.nat() }),
    fc.record({
      event: fc.constant('alignment' as const),
      segment: fc.nat(),
      words: fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), start_ms: time, end_ms: time })),
      phonemes: fc.constant<TimedText[]>([]),
      visemes: fc.constant<TimedViseme[]>([]),
    }),
  )

  test('is read as the same chunks', () => {
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 1, maxLength: 20 }), (chunks) => {
        expect(readSpeech(recordSpeech(chunks))).toEqual(chunks)
        expect(readSpeech(new Uint8Array([0, 0, 0, ...recordSpeech(chunks)]).subarray(3))).toEqual(chunks)
      }),
    )
  })

  test('that is incomplete or invalid is not read', () => {
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 1, maxLength: 5 }), fc.nat(), (chunks, at) => {
        const whole = recordSpeech(chunks)
        expect(readSpeech(whole.subarray(0, at % whole.length))).toBeUndefined()
      }),
    )
    for (const list of ['0', 'null', '{}', '[]', '[{"event":"audio"}]', '[{"event":"nonsense"}]']) {
      expect(readSpeech(Buffer.concat([Buffer.from([0, 0, 0, list.length]), Buffer.from(list)]))).toBeUndefined()
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => void expect(readSpeech(bytes)).toBeUndefined()))
  })
})
