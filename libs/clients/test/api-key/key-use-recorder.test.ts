import { createKeyUseRecorder } from '@parlance/clients/api-key'

const at = (ms: number) => new Date(ms).toISOString()

test('only the last use of each key is sent, at the latest when the recorder stops', async () => {
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

test('uses are sent at each interval, and a batch that failed is sent with the next', async () => {
  const sent: unknown[][] = []
  let second: () => void
  const sentTwice = new Promise<void>((resolve) => {
    second = resolve
  })
  const recorder = createKeyUseRecorder({
    flushIntervalMs: 5,
    now: () => 1_000,
    async record(uses) {
      sent.push(uses)
      if (sent.length === 2) return second()
      recorder.used('b')
      throw new Error('not now')
    },
  })
  recorder.used('a')
  await sentTwice
  await recorder.stop()
  expect(sent[0]).toEqual([{ key_id: 'a', last_used_at: at(1_000) }])
  expect(sent[1]).toHaveLength(2)
  expect(sent[1]).toEqual(expect.arrayContaining([{ key_id: 'a', last_used_at: at(1_000) }]))
})

test('a newer use is not replaced by one from a batch that failed', async () => {
  let now = 1_000
  const sent: unknown[][] = []
  const recorder = createKeyUseRecorder({
    flushIntervalMs: 1_000_000,
    now: () => now,
    async record(uses) {
      sent.push(uses)
      now = 2_000
      recorder.used('a')
      throw new Error('not now')
    },
  })
  recorder.used('a')
  await recorder.stop()
  expect(sent).toEqual([[{ key_id: 'a', last_used_at: at(1_000) }]])
})

test('more keys than fit into one call are sent in several calls', async () => {
  const sizes: number[] = []
  const recorder = createKeyUseRecorder({ record: async (uses) => sizes.push(uses.length) })
  for (let n = 0; n < 25_000; n++) recorder.used(`key ${n}`)
  await recorder.stop()
  expect(sizes).toEqual([10_000, 10_000, 5_000])
})
