import { waterfallOf } from '../../src/talk/turn-waterfall-rows.js'

const turn = { endpointing_ms: 500, stt_ms: 100, llm_ttft_ms: 200, tts_ttfa_ms: 100, voice_to_voice_ms: 1_000 }
const none = { endpointing_ms: null, stt_ms: null, llm_ttft_ms: null, tts_ttfa_ms: null, voice_to_voice_ms: null }

test('the parts of a turn follow each other, and speech ends with the turn', () => {
  expect(waterfallOf(turn).map(({ id, ms, startShare, share }) => [id, ms, startShare, share])).toEqual([
    ['endpointing', 500, 0, 0.5],
    ['recognition', 100, 0.5, 0.1],
    ['first-text', 200, 0.6, 0.2],
    ['first-audio', 100, 0.9, 0.1],
    ['voice-to-voice', 1_000, 0, 1],
  ])
})

test('a typed message has the parts that were measured and no others, and nothing is wider than the turn', () => {
  const rows = waterfallOf({ ...none, llm_ttft_ms: 300, tts_ttfa_ms: 100 })
  expect(rows.map(({ ms }) => ms)).toEqual([null, null, 300, 100, null])
  for (const { startShare, share } of [
    ...rows,
    ...waterfallOf(none),
    ...waterfallOf({ ...turn, voice_to_voice_ms: 1 }),
  ]) {
    expect(startShare).toBeGreaterThanOrEqual(0)
    expect(startShare + share).toBeLessThanOrEqual(1)
  }
})
