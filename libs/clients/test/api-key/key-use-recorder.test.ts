import { createKeyUseRecorder } from '@parlance/clients/api-key'

const at = (ms: number) => new Date(ms).toISOString()

test('only the last use of each key is told, when the recorder stops at the latest', async () => {
  let now = 1_000
  const batches: unknown[] = []
  const recorder = createKeyUseRecorder({ record: async (uses) => batches.push(uses), now: () => now })
  recorder.used('a')
  now = 2_000
  recorder.used('a')
  recorder.used('b')
  await recorder.stop()
  expect(batches).toEqual([
    [
      { key_id: 'a', last_used_at: at(2_000) },
      { key_id: 'b', last_used_at: at(2_000) },
    ],
  ])
})

test('uses are told at each interval, and a batch that failed is told with the next', async () => {
  const told: unknown[][] = []
  let second: () => void
  const toldTwice = new Promise<void>((resolve) => {
    second = resolve
  })
  const recorder = createKeyUseRecorder({
    flushIntervalMs: 5,
    now: () => 1_000,
    async record(uses) {
      told.push(uses)
      if (told.length === 2) return second()
      recorder.used('b')
      throw new Error('not now')
    },
  })
  recorder.used('a')
  await toldTwice
  await recorder.stop()
  expect(told[0]).toEqual([{ key_id: 'a', last_used_at: at(1_000) }])
  expect(told[1]).toHaveLength(2)
  expect(told[1]).toEqual(expect.arrayContaining([{ key_id: 'a', last_used_at: at(1_000) }]))
})

test('a newer use is not replaced by one from a batch that failed', async () => {
  let now = 1_000
  const told: unknown[][] = []
  const recorder = createKeyUseRecorder({
    flushIntervalMs: 1_000_000,
    now: () => now,
    async record(uses) {
      told.push(uses)
      now = 2_000
      recorder.used('a')
      throw new Error('not now')
    },
  })
  recorder.used('a')
  await recorder.stop()
  expect(told).toEqual([[{ key_id: 'a', last_used_at: at(1_000) }]])
})

test('more keys than one call takes are told in several', async () => {
  const sizes: number[] = []
  const recorder = createKeyUseRecorder({ record: async (uses) => sizes.push(uses.length) })
  for (let n = 0; n < 25_000; n++) recorder.used(`key ${n}`)
  await recorder.stop()
  expect(sizes).toEqual([10_000, 10_000, 5_000])
})
