import { createTurnReducer } from '../../../src/conversation/turn/turn-reducer.js'
import {
  initialTurnState,
  type TurnEffect,
  type TurnEvent,
  type TurnOptions,
} from '../../../src/conversation/turn/turn-state.js'

const options: TurnOptions = {
  inputMode: 'automatic',
  language: 'en',
  firstMessageInterruptible: true,
  silenceTimeoutMs: 60_000,
  detectsTurns: true,
  turnConfig: {
    endpointing_min_ms: 300,
    endpointing_max_ms: 3000,
    interruptions_enabled: true,
    interruption_min_ms: 200,
    false_interruption_timeout_ms: 2000,
    preemptive: false,
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
const answer = (completeProbability: number | null, pause = 1, utterance = 1): TurnEvent => ({
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

test('the detector is called once for each pause of 230 ms, and not for shorter ones', () => {
  const talk = start()
  speak(talk, 'I would like')
  talk.at(1150, voice(true))
  talk.at(2000, voice(false))
  talk.at(2250, answer(0.01, 2))
  talk.at(2600, voice(true))
  talk.at(3000, voice(false))
  talk.pass(3400)
  expect(talk.found('turn.detect')).toEqual([
    { atMs: 2230, effect: { effect: 'turn.detect', utterance: 1, pause: 2 } },
    { atMs: 3230, effect: { effect: 'turn.detect', utterance: 1, pause: 3 } },
  ])
})

test.each([
  ['sounds complete', 0.9, 'with no words', '', 300, 'audio'],
  ['may be complete', 0.15, 'with no words', '', 975, 'audio'],
  ['does not sound complete', 0.02, 'with no words', '', 3000, 'audio'],
  ['sounds complete', 0.9, 'with words that are', 'What time is it', 300, 'audio'],
  ['may be complete', 0.15, 'with words that are', 'What time is it', 975, 'audio'],
  ['does not sound complete', 0.02, 'with words that are', 'What time is it', 975, 'audio'],
  ['does not sound complete', 0.02, 'with words that hardly are', 'I come from', 3000, 'audio'],
  ['sounds complete', 0.9, 'with words that hardly are', 'I come from', 1650, 'text'],
  ['sounds complete', 0.9, 'with words that are not', 'I would like the', 3000, 'text'],
])('a turn that %s (%d), %s (%s), waits %d ms', (_sound, probability, _words, words, endpointingMs, decidedBy) => {
  const talk = start()
  speak(talk, words)
  talk.at(1250, answer(probability))
  const atMs = 1000 + endpointingMs
  expect(ends(talk)).toEqual([{ effect: 'recognition.finish', utterance: 1, endpointingMs, decidedBy, atMs }])
})

test('in a language without a list of words only the sound decides', () => {
  const talk = start({ language: 'pl' })
  speak(talk, 'Dzień dobry')
  talk.at(1300, answer(0.02))
  expect(ends(talk)).toMatchObject([{ endpointingMs: 3000, decidedBy: 'audio' }])
})

test('when the detector cannot tell the words decide, and without words the silence', () => {
  const withWords = start()
  speak(withWords, 'What time is it')
  withWords.at(1250, answer(null))
  expect(ends(withWords)).toMatchObject([{ endpointingMs: 300, decidedBy: 'text' }])

  const without = start()
  without.at(0, voice(true))
  without.at(1000, voice(false))
  without.at(1250, answer(null))
  expect(ends(without)).toMatchObject([{ endpointingMs: 300, decidedBy: 'silence' }])
})

test('a turn whose words are complete waits for the detector, and ends when that agrees', () => {
  const talk = start()
  speak(talk, 'What time is it')
  talk.at(1450, answer(0.9))
  expect(ends(talk)).toMatchObject([{ atMs: 1450, decidedBy: 'audio' }])
})

test('a turn whose words are complete does not wait long for a detector that does not answer', () => {
  const talk = start()
  speak(talk, 'What time is it')
  talk.at(2100, answer(0.01))
  expect(ends(talk)).toMatchObject([{ atMs: 1975, decidedBy: 'text' }])
})

test('a late answer lengthens a turn that is still awaited', () => {
  const talk = start()
  speak(talk, 'I come from')
  talk.at(2500, answer(0.02))
  expect(ends(talk)).toMatchObject([{ atMs: 4000, decidedBy: 'audio' }])
})

test('a turn waits for the text so far as it does for the detector', () => {
  const withPreview = (text: string | null, atMs: number) => {
    const talk = start({ detectsTurns: false, turnConfig: { ...options.turnConfig, preemptive: true } })
    talk.at(0, voice(true))
    talk.at(1000, voice(false))
    talk.at(atMs, { event: 'previewed', utterance: 1, pause: 1, text })
    return ends(talk)
  }
  expect(withPreview('What time is it', 1250)).toMatchObject([{ atMs: 1300, decidedBy: 'text' }])
  expect(withPreview('What time is it', 1400)).toMatchObject([{ atMs: 1400, decidedBy: 'text' }])
  expect(withPreview('Then I would like the', 1400)).toMatchObject([{ atMs: 4000, decidedBy: 'text' }])
  expect(withPreview(null, 1400)).toMatchObject([{ atMs: 1400, decidedBy: 'silence' }])
  expect(withPreview('What time is it', 2100)).toMatchObject([{ atMs: 1975, decidedBy: 'silence' }])
})

test('an answer about a pause or an utterance that is over changes nothing', () => {
  const talk = start()
  speak(talk, 'What time is it')
  talk.pass(1250)
  talk.at(1290, voice(true))
  talk.at(1350, answer(0.01, 1))
  talk.at(2000, voice(false))
  talk.at(2100, answer(0.01, 1))
  talk.at(2100, answer(0.01, 2, 7))
  talk.at(2250, answer(null, 2))
  expect(ends(talk)).toMatchObject([{ atMs: 2300, decidedBy: 'text' }])
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

describe('a recognizer that reports the ends of turns', () => {
  const over: TurnEvent = { event: 'turn.ended', utterance: 1 }
  const recognizing = () => start({ detectsTurns: false, recognizerEndsTurns: true })

  test('decides them, after endpointing_min_ms at the earliest', () => {
    const early = recognizing()
    speak(early, 'Then I would like the')
    early.at(1100, over)
    expect(ends(early)).toMatchObject([{ atMs: 1300, decidedBy: 'recognizer' }])

    const late = recognizing()
    speak(late, 'What time is it')
    late.at(1800, over)
    expect(ends(late)).toMatchObject([{ atMs: 1800, decidedBy: 'recognizer' }])
  })

  test('may report before the voice is known to have ended', () => {
    const talk = recognizing()
    talk.at(0, voice(true))
    talk.at(950, over)
    talk.at(1000, voice(false))
    expect(ends(talk)).toMatchObject([{ atMs: 1300, decidedBy: 'recognizer' }])
  })

  test('is not believed when voice or other text follows', () => {
    const voiced = recognizing()
    speak(voiced, 'What time is it')
    voiced.at(1200, over)
    voiced.at(1250, voice(true))
    voiced.at(2000, voice(false))
    expect(ends(voiced)).toMatchObject([{ atMs: 5000, decidedBy: 'silence' }])

    const texted = recognizing()
    speak(texted, 'What time is it')
    texted.at(1200, over)
    texted.at(1250, { event: 'partial', utterance: 1, text: 'What time is it in' })
    expect(ends(texted)).toMatchObject([{ atMs: 4000, decidedBy: 'silence' }])
  })

  test('is not waited for longer than endpointing_max_ms', () => {
    const talk = recognizing()
    speak(talk, 'What time is it')
    expect(ends(talk)).toMatchObject([{ atMs: 4000, decidedBy: 'silence' }])
  })
})
