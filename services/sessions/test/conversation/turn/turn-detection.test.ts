import type { TurnEffect } from '../../../src/conversation/turn/turn-effect.js'
import type { TurnEvent } from '../../../src/conversation/turn/turn-event.js'
import type { TurnOptions } from '../../../src/conversation/turn/turn-options.js'
import { createTurnReducer } from '../../../src/conversation/turn/turn-reducer.js'
import { initialTurnState } from '../../../src/conversation/turn/turn-state.js'

const options: TurnOptions = {
  inputMode: 'automatic',
  language: 'en',
  firstMessageInterruptible: true,
  silenceTimeoutMs: 60_000,
  detectsTurns: true,
  turnConfig: {
    endpointing_min_ms: 500,
    endpointing_max_ms: 3000,
    interruptions_enabled: true,
    interruption_min_ms: 500,
    false_interruption_timeout_ms: 2000,
  },
}

/** Reduces events at their times, and `time` whenever it is due. */
const start = (given: Partial<TurnOptions> = {}) => {
  const reduce = createTurnReducer({ ...options, ...given })
  const effects: { readonly atMs: number; readonly effect: TurnEffect }[] = []
  let state = initialTurnState

  const take = (event: TurnEvent, atMs: number): void => {
    const next = reduce(state, event, atMs)
    state = next.state
    effects.push(...next.effects.map((effect) => ({ atMs, effect })))
  }
  const pass = (untilMs: number): void => {
    while (state.dueMs !== null && state.dueMs <= untilMs) take({ event: 'time' }, state.dueMs)
  }
  const at = (atMs: number, event: TurnEvent): void => {
    pass(atMs)
    take(event, atMs)
  }
  const found = (name: TurnEffect['effect']) => effects.filter(({ effect }) => effect.effect === name)
  return { at, pass, found }
}

type Talk = ReturnType<typeof start>

const voice = (on: boolean): TurnEvent => ({ event: 'voice', on, agoMs: 0 })
const answer = (completeProbability: number, pause = 1, utterance = 1): TurnEvent => ({
  event: 'turn.detected',
  utterance,
  pause,
  completeProbability,
})

/** The user speaks from 0 to 1,000 ms, with these words. */
const speak = ({ at }: Talk, words: string): void => {
  at(0, voice(true))
  at(900, { event: 'partial', utterance: 1, text: words })
  at(1000, voice(false))
}

const ends = ({ pass, found }: Talk) => {
  pass(10_000)
  return found('recognition.finish').map(({ atMs, effect }) => ({ ...effect, atMs }))
}

test('the detector is called once for each pause of 200 ms, and not for shorter ones', () => {
  const talk = start()
  speak(talk, 'I would like')
  talk.at(1150, voice(true))
  talk.at(2000, voice(false))
  talk.at(2250, answer(0.01, 2))
  talk.at(2600, voice(true))
  talk.at(3000, voice(false))
  talk.pass(3400)
  expect(talk.found('turn.detect')).toEqual([
    { atMs: 2200, effect: { effect: 'turn.detect', utterance: 1, pause: 2 } },
    { atMs: 3200, effect: { effect: 'turn.detect', utterance: 1, pause: 3 } },
  ])
})

test.each([
  ['sounds complete', 0.9, 'with no words', '', 500, 'audio'],
  ['may be complete', 0.3, 'with no words', '', 1125, 'audio'],
  ['does not sound complete', 0.02, 'with no words', '', 3000, 'audio'],
  ['sounds complete', 0.9, 'with words that are', 'What time is it', 500, 'audio'],
  ['does not sound complete', 0.02, 'with words that may be', 'What time is it', 1125, 'audio'],
  ['does not sound complete', 0.02, 'with words that hardly are', 'I come from', 3000, 'audio'],
  ['sounds complete', 0.9, 'with words that hardly are', 'I come from', 1125, 'text'],
  ['sounds complete', 0.9, 'with words that are not', 'I would like the', 3000, 'text'],
])('a turn that %s (%d), %s (%s), waits %d ms', (_sound, probability, _words, words, endpointingMs, decidedBy) => {
  const talk = start()
  speak(talk, words)
  talk.at(1300, answer(probability))
  const atMs = 1000 + endpointingMs
  expect(ends(talk)).toEqual([{ effect: 'recognition.finish', utterance: 1, endpointingMs, decidedBy, atMs }])
})

test('in a language without a list of words only the sound decides', () => {
  const talk = start({ language: 'pl' })
  speak(talk, 'Dzień dobry')
  talk.at(1300, answer(0.02))
  expect(ends(talk)).toMatchObject([{ endpointingMs: 3000, decidedBy: 'audio' }])
})

test('without an answer in time the words decide, and without words the silence', () => {
  const withWords = start()
  speak(withWords, 'What time is it')
  expect(ends(withWords)).toMatchObject([{ endpointingMs: 500, decidedBy: 'text' }])

  const without = start()
  without.at(0, voice(true))
  without.at(1000, voice(false))
  expect(ends(without)).toMatchObject([{ endpointingMs: 500, decidedBy: 'silence' }])
})

test('an answer that comes after the words have ended the turn changes nothing', () => {
  const talk = start()
  speak(talk, 'What time is it')
  talk.at(1600, answer(0.01))
  expect(ends(talk)).toMatchObject([{ atMs: 1500, decidedBy: 'text' }])
})

test('a late answer lengthens a turn that is still awaited', () => {
  const talk = start()
  speak(talk, 'I come from')
  talk.at(2100, answer(0.02))
  expect(ends(talk)).toMatchObject([{ atMs: 4000, decidedBy: 'audio' }])
})

test('an answer about a pause or an utterance that is over changes nothing', () => {
  const talk = start()
  speak(talk, 'What time is it')
  talk.pass(1250)
  talk.at(1300, voice(true))
  talk.at(1350, answer(0.01, 1))
  talk.at(2000, voice(false))
  talk.at(2100, answer(0.01, 1))
  talk.at(2100, answer(0.01, 2, 7))
  expect(ends(talk)).toMatchObject([{ atMs: 2500, decidedBy: 'text' }])
})

test('in push-to-talk, and without a detector, no detection is requested', () => {
  const pushed = start({ inputMode: 'push-to-talk' })
  pushed.at(0, { event: 'ptt.start' })
  pushed.at(100, voice(true))
  pushed.at(1000, voice(false))
  pushed.at(3000, { event: 'ptt.commit' })
  expect(ends(pushed)).toMatchObject([{ endpointingMs: null, decidedBy: 'user' }])
  expect(pushed.found('turn.detect')).toEqual([])

  const without = start({ detectsTurns: false })
  speak(without, 'Yes.')
  expect(ends(without)).toMatchObject([{ decidedBy: 'text' }])
  expect(without.found('turn.detect')).toEqual([])
})
