import { iterate } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { ttsContract } from '@parlance/contracts'
import fc from 'fast-check'
import { createClient, serve } from '../../src/index.js'
import { callerFrame, encodeFrame, handlerFrame } from '../../src/stream/stream-frame.js'
import type { BusPair } from '../buses.js'
import { describeBuses, encodeChunk, kitchen, newInstanceId, signalled } from '../buses.js'

type Audio = Extract<SynthesisChunk, { event: 'audio' }>

const output = { format: 'pcm_s16le', sample_rate: 24_000, bit_rate: null } as const
const request = {
  workspace_id: '0'.repeat(8).concat('-0000-4000-8000-', '0'.repeat(12)),
  text: 'Any.',
  voice: 'any',
  variant: null,
  language: null,
  output,
  speed: 1,
  volume: 1,
  alignment: [],
}
const { packing } = ttsContract.methods.synthesize

const timeMs = fc.double({ min: 0, max: 1e12, noNaN: true })
const audio: fc.Arbitrary<Audio> = fc.record({
  event: fc.constant('audio' as const),
  seq: fc.maxSafeNat(),
  segment: fc.maxSafeNat(),
  start_ms: timeMs,
  duration_ms: timeMs,
  data: fc.uint8Array({ maxLength: 3000 }),
})
const segment: fc.Arbitrary<SynthesisChunk> = fc.record(
  {
    event: fc.constant('segment' as const),
    segment: fc.maxSafeNat(),
    characters: fc.maxSafeNat(),
    pause_ms: timeMs.filter((ms) => ms > 0),
  },
  { requiredKeys: ['event', 'segment', 'characters'] },
)
const done: fc.Arbitrary<SynthesisChunk> = fc.record({
  event: fc.constant('done' as const),
  audio_duration_ms: timeMs,
  characters_billed: fc.maxSafeNat(),
  ttfa_ms: timeMs,
})
const started: fc.Arbitrary<SynthesisChunk> = fc.record({
  event: fc.constant('started' as const),
  output: fc.constant(output),
  queue_ms: timeMs,
  ttfa_ms: timeMs,
})

describeBuses('packed chunks', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  const speech = () => iterate(createClient(pair.caller, ttsContract).synthesize(request))

  test('arrive as they were sent, in order among chunks in JSON', async () => {
    let sent: readonly SynthesisChunk[] = []
    const handlers = {
      async *synthesize() {
        yield* sent
      },
    }
    await serve(pair.callee, ttsContract, handlers, { instanceId: newInstanceId() })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(audio, segment, done, started), { maxLength: 40 }), async (chunks) => {
        sent = chunks
        const got: SynthesisChunk[] = []
        for await (const chunk of speech()) {
          got.push(chunk.event === 'audio' ? { ...chunk, data: Uint8Array.from(chunk.data) } : chunk)
        }
        expect(got).toEqual(chunks)
      }),
      { numRuns: 30 },
    )
  })

  const good: Audio = { event: 'audio', seq: 0, segment: 0, start_ms: 0, duration_ms: 40, data: new Uint8Array(4) }
  const end: SynthesisChunk = { event: 'done', audio_duration_ms: 40, characters_billed: 1, ttfa_ms: 1 }
  const frame = encodeChunk(0, good, packing)
  const payload = frame.subarray(frame.length - (4 + 40 + 4))
  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(payload)
    change(bytes)
    return encodeFrame(handlerFrame.packed, 0, bytes)
  }

  /** A handler that sends one frame. Resolves with the kind of the first frame that it receives. */
  const sendOnly = (subject: string, bytes: Uint8Array) => {
    const received = signalled<number>()
    const control = pair.callee.inbox()
    pair.callee.subscribe(control, ({ data }) => received.resolve(data[0]!))
    pair.callee.subscribe(subject, ({ reply }) => {
      pair.callee.publish(reply!, encodeFrame(handlerFrame.open, 0), { reply: control })
      pair.callee.publish(reply!, bytes)
    })
    return received.promise
  }

  test.each([
    ['a seq that is negative', encodeChunk(0, { ...good, seq: -1 }, packing)],
    ['a segment that is not a whole number', encodeChunk(0, { ...good, segment: 0.5 }, packing)],
    ['a negative time', encodeChunk(0, { ...good, start_ms: -0.1 }, packing)],
    ['an infinite duration', encodeChunk(0, { ...good, duration_ms: Number.POSITIVE_INFINITY }, packing)],
    ['a time that is not a number', encodeChunk(0, { ...good, start_ms: Number.NaN }, packing)],
    ['numbers that are too short', changed((bytes) => bytes.writeUInt32BE(39))],
    ['numbers that are too long', changed((bytes) => bytes.writeUInt32BE(41))],
    ['numbers that exceed the frame', changed((bytes) => bytes.writeUInt32BE(45))],
    ['an unknown kind', changed((bytes) => bytes.writeDoubleBE(3, 4))],
    ['data after a segment', changed((bytes) => bytes.writeDoubleBE(1, 4))],
    ['a segment of too many numbers', encodeChunk(0, end, { ...packing!, pack: () => [1, 0, 0, 0, 0] })],
    ['a negative pause', encodeChunk(0, end, { ...packing!, pack: () => [1, 0, 0, -1] })],
    ['a segment of half a character', encodeChunk(0, { event: 'segment', segment: 0, characters: 0.5 }, packing)],
    ['a negative duration at the end', encodeChunk(0, { ...end, audio_duration_ms: -1 }, packing)],
    ['an empty payload', encodeFrame(handlerFrame.packed, 0)],
  ])('are refused with %s, and their handler is cancelled', async (_, bytes) => {
    const received = sendOnly('parlance.tts.synthesize', bytes)
    await pair.callee.flush()
    await expect(speech().next()).rejects.toMatchObject({
      code: 'internal_error',
      detail: 'The tts service sent a bad chunk.',
    })
    expect(await received).toBe(callerFrame.cancel)
  })

  test('are refused where the method has no packing', async () => {
    const received = sendOnly('parlance.kitchen.courses', encodeChunk(0, good, packing))
    await pair.callee.flush()
    const courses = iterate(createClient(pair.caller, kitchen).courses({ count: 1 }))
    await expect(courses.next()).rejects.toMatchObject({ code: 'internal_error' })
    expect(await received).toBe(callerFrame.cancel)
  })
})
