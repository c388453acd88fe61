import type { Turn } from '../../src/conversations/conversation-queries.js'
import { durationOf, stagesOf } from '../../src/conversations/turn-stages.js'

const turn: Turn = {
  endpointing_ms: 500,
  stt_ms: 80,
  llm_ttft_ms: 300,
  tts_ttfa_ms: 90,
  voice_to_voice_ms: 1_050,
  prepared_ms: null,
  speculation: 'none',
}
const times = (of: Turn) => stagesOf(of).map(({ label, ms }) => [label, ms])

test('the stages of a spoken turn add up to the time from voice to voice', () => {
  expect(times(turn)).toEqual([
    ['End of turn', 500],
    ['Recognition', 80],
    ['Model', 300],
    ['First sentence', 80],
    ['Speech', 90],
  ])
  expect(durationOf(turn)).toBe(1_050)
})

test('a typed message has the stages that were measured, and their sum', () => {
  const typed = { ...turn, endpointing_ms: null, stt_ms: null, voice_to_voice_ms: null }
  expect(times(typed)).toEqual([
    ['Model', 300],
    ['Speech', 90],
  ])
  expect(durationOf(typed)).toBe(390)
})

test('stages that overlap leave no negative rest, and a turn without measurements has no stage', () => {
  expect(times({ ...turn, voice_to_voice_ms: 900 }).map(([label]) => label)).not.toContain('First sentence')
  const none = {
    ...turn,
    endpointing_ms: null,
    stt_ms: null,
    llm_ttft_ms: null,
    tts_ttfa_ms: null,
    voice_to_voice_ms: null,
  }
  expect([times(none), durationOf(none)]).toEqual([[], 0])
})

test('a reply that was prepared begins before the end of the turn, and its rest is what was left of it then', () => {
  const hit: Turn = { ...turn, voice_to_voice_ms: 620, prepared_ms: 340, speculation: 'hit' }
  expect(stagesOf(hit).map(({ label, startMs, ms, isPrepared }) => [label, startMs, ms, isPrepared])).toEqual([
    ['End of turn', 0, 500, undefined],
    ['Recognition', 500, 80, undefined],
    ['Prepared', 240, 340, true],
    ['Rest of the reply', 580, 40, undefined],
  ])
})
