import type { SynthesisChunk } from '@parlance/contracts'
import { SegmentBuffer, type SegmentBufferLimits } from '../src/segment-buffer.js'

const started: SynthesisChunk = {
  event: 'started',
  output: { format: 'pcm_s16le', sample_rate: 8000, bit_rate: null },
  queue_ms: 0,
  ttfa_ms: 0,
}
const audio = (segment: number, startMs: number, durationMs: number): SynthesisChunk => ({
  event: 'audio',
  seq: 0,
  segment,
  start_ms: startMs,
  duration_ms: durationMs,
  data: new Uint8Array(100),
})
const end = (segment: number): SynthesisChunk => ({ event: 'segment', segment, characters: 1 })

/** A buffer whose sink has no room while it is blocked. */
const open = (limits?: SegmentBufferLimits) => {
  const given: string[] = []
  let unblock: (() => void) | undefined
  let blocked: Promise<void> | undefined
  const buffer = new SegmentBuffer((chunk) => {
    given.push('segment' in chunk ? `${chunk.event} ${chunk.segment}` : chunk.event)
    return blocked
  }, limits)
  return {
    buffer,
    given,
    block() {
      blocked = new Promise((resolve) => {
        unblock = resolve
      })
    },
    unblock() {
      blocked = undefined
      unblock?.()
    },
  }
}

test('the first audio is delivered at once, since the listener has none', () => {
  const { buffer, given } = open()
  buffer.add(started)
  buffer.add(audio(0, 0, 60))
  expect(given).toEqual(['started', 'audio 0'])
})

test('while the listener has audio, a segment is delivered when it is complete', () => {
  const { buffer, given } = open()
  for (const chunk of [started, audio(0, 0, 5_000), end(0), audio(1, 5_000, 100)]) buffer.add(chunk)
  expect(given).toEqual(['started', 'audio 0', 'segment 0'])
  buffer.add(end(1))
  expect(given.slice(3)).toEqual(['audio 1', 'segment 1'])
})

test('a segment is delivered before it is complete when the listener is about to run out of audio, or was kept for long enough', async () => {
  for (const [durationMs, limits] of [
    [520, {}],
    [60_000, { maxHoldMs: 20 }],
  ] as const) {
    const { buffer, given } = open(limits)
    for (const chunk of [started, audio(0, 0, durationMs), end(0), audio(1, durationMs, 100)]) buffer.add(chunk)
    expect(given).toHaveLength(3)
    while (given.length < 4) await new Promise(setImmediate)
    expect(given.at(-1)).toBe('audio 1')
    expect(buffer.cut()).toEqual({ completeSegments: 1, isPartlyDelivered: true })
  }
})

test('after a loss an incomplete segment that was kept is dropped, and the complete ones are counted', () => {
  const { buffer, given } = open()
  for (const chunk of [started, audio(0, 0, 5_000), end(0), audio(1, 5_000, 100)]) buffer.add(chunk)
  expect(buffer.cut()).toEqual({ completeSegments: 1, isPartlyDelivered: false })
  expect(buffer.cut()).toEqual({ completeSegments: 0, isPartlyDelivered: false })
  buffer.add(audio(1, 5_000, 200))
  buffer.add(end(1))
  expect(given.filter((name) => name === 'audio 1')).toHaveLength(1)
})

test('while the sink has no room, a segment is accepted to its end, and a full buffer accepts no more of it', async () => {
  for (const [limits, accepted] of [
    [{}, 4],
    [{ maxBytes: 250 }, 3],
    [{ maxMs: 25 }, 3],
  ] as const) {
    const { buffer, given, block, unblock } = open(limits)
    block()
    for (const [index, chunk] of [started, audio(0, 0, 10), audio(0, 10, 10), audio(0, 20, 10), end(0)].entries()) {
      const room = buffer.add(chunk)
      expect(room !== undefined).toBe(index === accepted)
      if (room === undefined) continue
      expect(given).toEqual(['started'])
      unblock()
      await room
    }
    await buffer.drained()
    expect(given).toHaveLength(5)
  }
})

test('an error of the sink is thrown to the producer, and to the caller that waits for the end', async () => {
  const reason = new Error('hung up')
  const failing = new SegmentBuffer(() => {
    throw reason
  })
  expect(() => failing.add(started)).toThrow(reason)
  expect(() => failing.cut()).toThrow(reason)
  await expect(failing.drained()).rejects.toBe(reason)
})
