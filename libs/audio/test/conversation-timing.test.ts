import { soundsOf, timingOf } from '@parlance/audio'
import { createOggOpusEncoder, decodeOggOpus } from '@parlance/audio/encoding'

const rateHz = 24_000

/** Tones between these times, in ms. */
const tones = (durationMs: number, ...spans: ReadonlyArray<readonly [number, number]>): Int16Array =>
  Int16Array.from({ length: (durationMs * rateHz) / 1000 }, (_, at) => {
    const ms = (at * 1000) / rateHz
    const isOn = spans.some(([from, to]) => ms >= from && ms < to)
    return isOn ? 8_000 * Math.sin(2 * Math.PI * 440 * (at / rateHz)) : 20 * (at % 2)
  })

const callerSpans = [
  [100, 1_000],
  [3_000, 4_000],
] as const
const agentSpans = [
  [1_500, 2_000],
  [2_500, 3_120],
  [4_400, 5_000],
] as const
const expected = {
  replies: [
    { atMs: 1_500, voiceToVoiceMs: 500 },
    { atMs: 4_400, voiceToVoiceMs: 400 },
  ],
  interruptions: [{ atMs: 3_000, silentAfterMs: 120 }],
  overlaps: [{ atMs: 3_000, durationMs: 120, by: 'caller' }],
}

const timingsOf = (caller: Int16Array, agent: Int16Array) => {
  const rounded = (value: number) => Math.round(value / 10) * 10
  const timing = timingOf(soundsOf(caller, rateHz), soundsOf(agent, rateHz))
  return JSON.parse(JSON.stringify(timing), (_, value) => (typeof value === 'number' ? rounded(value) : value))
}

test('replies, interruptions and overlaps are between the loud samples of both sides', () => {
  expect(timingsOf(tones(6_000, ...callerSpans), tones(6_000, ...agentSpans))).toEqual(expected)
})

test('a pause in a reply begins no other reply, and a word under a reply that goes on interrupts nothing', () => {
  const caller = tones(6_000, [100, 1_000], [2_000, 2_200])
  const agent = tones(6_000, [1_300, 2_500], [3_000, 3_400])
  expect(timingsOf(caller, agent)).toEqual({
    replies: [{ atMs: 1_300, voiceToVoiceMs: 300 }],
    interruptions: [],
    overlaps: [{ atMs: 2_000, durationMs: 200, by: 'caller' }],
  })
})

test('a recording in Opus has the same figures within 10 ms, and its whole duration', () => {
  const [caller, agent] = [tones(6_000, ...callerSpans), tones(6_000, ...agentSpans)]
  const encoder = createOggOpusEncoder({ sampleRateHz: rateHz, bitRate: 40_000, channels: 2 })
  const interleaved = new Int16Array(2 * caller.length).map((_, at) => (at % 2 === 0 ? caller : agent)[at >> 1]!)
  const file = Buffer.concat([encoder.encode(interleaved), encoder.finish()])
  const [left, right] = decodeOggOpus(file, rateHz)
  expect(left).toHaveLength(caller.length)
  expect(timingsOf(left!, right!)).toEqual(expected)
  expect(() => decodeOggOpus(Buffer.from('RIFF of some other kind of audio file'), rateHz)).toThrow('Not an Ogg file')
})
