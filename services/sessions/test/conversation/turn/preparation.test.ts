import { agentConfigSchema } from '@parlance/contracts'
import { areEquivalent } from '../../../src/conversation/turn/preparation.js'
import { createTurnReducer } from '../../../src/conversation/turn/turn-reducer.js'
import {
  initialTurnState,
  type TurnEffect,
  type TurnEvent,
  type TurnOptions,
} from '../../../src/conversation/turn/turn-state.js'

const { turn_config: turnConfig } = agentConfigSchema.parse({
  slug: 'an-agent',
  display_name: 'An agent',
  voice_id: '0'.repeat(32),
  llm_provider: 'builtin',
  llm_model: 'b',
  turn_config: { endpointing_min_ms: 500 },
})
const options: TurnOptions = {
  inputMode: 'automatic',
  language: 'en',
  firstMessageInterruptible: true,
  silenceTimeoutMs: 60_000,
  detectsTurns: false,
  turnConfig,
}

/** Reduces events at their times, and `time` whenever it is due. */
const start = (given: Partial<TurnOptions> = {}) => {
  const reduce = createTurnReducer({ ...options, ...given })
  const all: (TurnEffect & { readonly atMs: number })[] = []
  let state = initialTurnState
  let nowMs = 0

  const take = (event: TurnEvent): void => {
    const next = reduce(state, event, nowMs)
    state = next.state
    all.push(...next.effects.map((effect) => ({ ...effect, atMs: nowMs })))
  }
  const turns = {
    /** Until this time. */
    until(atMs: number) {
      for (let { dueMs } = state; dueMs !== null && dueMs <= atMs; { dueMs } = state) {
        nowMs = dueMs
        take({ event: 'time' })
      }
      nowMs = atMs
      return turns
    },
    take(event: TurnEvent) {
      take(event)
      return turns
    },
    /** There is voice from 0 to 400 ms. */
    speak() {
      take({ event: 'voice', on: true, agoMs: 0 })
      return turns.until(400).take({ event: 'voice', on: false, agoMs: 0 })
    },
    preview: (text: string | null, pause = 1, utterance = 1) =>
      turns.take({ event: 'previewed', utterance, pause, text }),
    final: (text: string, utterance = 1) => turns.take({ event: 'final', utterance, text }),
    partial: (text: string, utterance = 1) => turns.take({ event: 'partial', utterance, text }),
    effects: (name: string) => all.filter(({ effect }) => effect.startsWith(name)),
    names: (name: string) => turns.effects(name).map(({ effect }) => effect),
  }
  return turns
}

test('a preview of the text is requested once in each pause, after 160 ms of silence', () => {
  const turns = start()
    .speak()
    .until(700)
    .take({ event: 'voice', on: true, agoMs: 0 })
    .until(1000)
    .take({ event: 'voice', on: false, agoMs: 60 })
    .until(1200)
  expect(turns.effects('recognition.preview')).toEqual([
    { effect: 'recognition.preview', utterance: 1, pause: 1, atMs: 560 },
    { effect: 'recognition.preview', utterance: 1, pause: 2, atMs: 1100 },
  ])
})

test('at most two replies are prepared to one utterance', () => {
  const turns = start()
  turns.speak()
  for (const pause of [1, 2, 3]) {
    const atMs = pause * 1000
    turns
      .until(atMs - 400)
      .preview(`Number ${pause}.`, pause)
      .take({ event: 'voice', on: true, agoMs: 0 })
      .until(atMs)
      .take({ event: 'voice', on: false, agoMs: 0 })
  }
  turns.until(3600).final('Number 3.')
  expect(turns.names('reply')).toEqual(['reply.prepare', 'reply.discard', 'reply.prepare', 'reply.discard', 'reply'])
})

test('the preview of a pause that is over, or of another utterance, prepares nothing', () => {
  const turns = start()
    .speak()
    .until(600)
    .take({ event: 'voice', on: true, agoMs: 0 })
    .preview('Hello.')
    .until(800)
    .take({ event: 'voice', on: false, agoMs: 0 })
    .until(1000)
    .preview('Hello.')
    .preview('Hello.', 2, 2)
  expect(turns.names('reply')).toEqual([])
})

test('a preview that comes after the end of the turn still prepares the reply', () => {
  const turns = start().speak().until(950).preview('Hello.').until(1100).final('Hello.')
  expect(turns.names('reply')).toEqual(['reply.prepare', 'reply.commit'])
})

test.each(['', '…', 'I would like the'])('no reply is prepared to "%s"', (text) => {
  expect(start().speak().until(600).preview(text).names('reply')).toEqual([])
})

test('where the recognizer has no preview, a reply is prepared to the partial text, and to the next one if that differs', () => {
  const turns = start()
    .speak()
    .partial('What time')
    .until(600)
    .preview(null)
    .until(650)
    .partial('what time')
    .until(700)
    .partial('What time is it?')
    .until(1000)
    .final('What time is it?')
  expect(turns.effects('reply').map(({ effect, atMs }) => [effect, atMs])).toEqual([
    ['reply.prepare', 600],
    ['reply.discard', 700],
    ['reply.prepare', 700],
    ['reply.commit', 1000],
  ])
})

test('partial texts do not replace a reply that was prepared to a preview', () => {
  const turns = start().speak().until(600).preview('What time is it?').partial('What time').until(1000)
  expect(turns.final('What time is it?').names('reply')).toEqual(['reply.prepare', 'reply.commit'])
})

test('nothing is prepared while the agent speaks, in push-to-talk, or where it is turned off', () => {
  const busy = start().take({ event: 'greet' }).take({ event: 'agent.audio', turn: 1 })
  const manual = start({ inputMode: 'push-to-talk' }).take({ event: 'ptt.start' })
  const off = start({ turnConfig: { ...turnConfig, preemptive: false } })
  for (const turns of [busy, manual, off]) expect(turns.speak().until(600).preview('Hello.').names('reply')).toEqual([])
  for (const turns of [manual, off]) expect(turns.names('re')).not.toContain('recognition.preview')
})

test.each<[string, TurnEvent, string[]]>([
  ['text that is typed', { event: 'text', id: 'id', text: 'Hello.' }, ['reply.discard', 'reply']],
  ['the end of the conversation', { event: 'leave' }, ['reply.discard']],
  ['an utterance without words', { event: 'final', utterance: 1, text: '' }, ['reply.discard']],
])('%s discards the prepared reply', (_, event, effects) => {
  const turns = start().speak().until(600).preview('Hello.').until(950).take(event)
  expect(turns.names('reply').slice(1)).toEqual(effects)
})

test('texts are equivalent when they differ in case, punctuation and white space only', () => {
  expect(areEquivalent("Well, I don't know…", ' well I dont  know')).toBe(true)
  expect(areEquivalent('¿Qué hora es?', 'qué hora es')).toBe(true)
  expect(areEquivalent('今 何時。', '今何時')).toBe(true)
  expect(areEquivalent('Room 12.', 'room 12')).toBe(true)
  expect(areEquivalent('It is 1.5.', 'It is 15.')).toBe(false)
  expect(areEquivalent('Room 1 2.', 'Room 12.')).toBe(false)
  expect(areEquivalent('I can.', "I can't.")).toBe(false)
  expect(areEquivalent('5 + 3', '5 3')).toBe(false)
})
