import { agentConfigSchema } from '@parlance/contracts'
import fc from 'fast-check'
import { createTurnReducer } from '../../../src/conversation/turn/turn-reducer.js'
import {
  initialTurnState,
  type TurnEffect,
  type TurnEvent,
  type TurnOptions,
  type TurnState,
} from '../../../src/conversation/turn/turn-state.js'

const { turn_config: defaults } = agentConfigSchema.parse({
  slug: 'an-agent',
  display_name: 'An agent',
  voice_id: '0'.repeat(32),
  llm_provider: 'builtin',
  llm_model: 'b',
})

const defaultOptions: TurnOptions = {
  inputMode: 'automatic',
  language: 'en',
  firstMessageInterruptible: true,
  silenceTimeoutMs: 5000,
  turnConfig: defaults,
  detectsTurns: false,
}

const number = fc.integer({ min: 1, max: 4 })
const text = fc.constantFrom('', 'um', 'Yes.', 'Stop that.')
const levelDb = fc.constantFrom(undefined, -20, -40)
const anyEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.record({ event: fc.constant('voice' as const), on: fc.boolean(), agoMs: fc.constantFrom(0, 60, 1000) }),
  fc.record({ event: fc.constant('partial' as const), utterance: number, text, levelDb }),
  fc.record({ event: fc.constant('final' as const), utterance: number, text, levelDb }),
  fc.record({
    event: fc.constant('turn.detected' as const),
    utterance: number,
    pause: number,
    completeProbability: fc.constantFrom(0, 0.3, 1, null),
  }),
  fc.record({ event: fc.constant('turn.ended' as const), utterance: number }),
  {
    weight: 3,
    arbitrary: fc.record({
      event: fc.constant('previewed' as const),
      utterance: number,
      pause: fc.option(number),
      text: fc.option(text),
      levelDb,
    }),
  },
  fc.record({ event: fc.constantFrom('ptt.start' as const, 'ptt.commit' as const, 'ptt.cancel' as const) }),
  fc.record({ event: fc.constant('text' as const), id: fc.constant('id'), text }),
  fc.record({ event: fc.constantFrom('interrupt' as const, 'greet' as const, 'time' as const) }),
  fc.record({ event: fc.constant('agent.audio' as const), turn: number }),
  fc.record({ event: fc.constant('agent.finished' as const), turn: number }),
  { weight: 1, arbitrary: fc.record({ event: fc.constant('leave' as const) }) },
)

/** What is in progress by the effects so far. */
const follow = () => {
  const inProgress = new Set<number>()
  const recognizing = new Set<number>()
  /** Back-channels that may be answers. */
  const setAside = new Set<number>()
  /** The pauses about which the detector was asked. */
  const detected = new Set<string>()
  const previewed = new Set<string>()
  const agent = { turn: undefined as number | undefined, paused: false }
  const prepared = { turn: undefined as number | undefined, count: 0 }
  /** The numbers of turns: each is used for one reply. */
  const turns = new Set<number>()

  return {
    agent,
    prepared,
    open: () => inProgress.size + recognizing.size,
    take(effect: TurnEffect) {
      switch (effect.effect) {
        case 'recognition.begin':
          expect(inProgress.size).toBe(0)
          return inProgress.add(effect.utterance)
        case 'recognition.finish':
          expect(inProgress.delete(effect.utterance)).toBe(true)
          return recognizing.add(effect.utterance)
        case 'turn.detect': {
          const asked = `${effect.utterance}/${effect.pause}`
          expect(inProgress.has(effect.utterance)).toBe(true)
          expect(detected.has(asked)).toBe(false)
          return detected.add(asked)
        }
        case 'recognition.cancel':
          return expect([inProgress, recognizing, setAside].some((open) => open.delete(effect.utterance))).toBe(true)
        case 'recognition.preview': {
          const asked = `${effect.utterance}/${effect.pause}`
          expect(agent.turn === undefined || agent.paused).toBe(true)
          expect(inProgress.has(effect.utterance)).toBe(true)
          if (effect.pause !== null) expect(previewed.has(asked)).toBe(false)
          return previewed.add(asked)
        }
        case 'reply.prepare':
          expect([agent.turn, prepared.turn]).toEqual([undefined, undefined])
          expect(inProgress.size + recognizing.size).toBe(1)
          expect(turns.has(effect.turn)).toBe(false)
          turns.add(effect.turn)
          prepared.turn = effect.turn
          prepared.count += 1
          return
        case 'reply.discard':
          expect(prepared.turn).toBe(effect.turn)
          prepared.turn = undefined
          return
        case 'greet':
        case 'reply':
        case 'reply.commit':
          expect(agent.turn).toBeUndefined()
          expect(prepared.turn).toBe(effect.effect === 'reply.commit' ? effect.turn : undefined)
          expect(turns.has(effect.turn)).toBe(effect.effect === 'reply.commit')
          turns.add(effect.turn)
          prepared.turn = undefined
          if (effect.effect !== 'greet' && 'utterance' in effect.input) {
            const { utterance } = effect.input
            expect([recognizing, setAside].some((open) => open.delete(utterance))).toBe(true)
          }
          agent.turn = effect.turn
          agent.paused = false
          return
        case 'store':
          if ('utterance' in effect.input) {
            const { utterance } = effect.input
            expect([recognizing, setAside].some((open) => open.delete(utterance))).toBe(true)
          }
          return
        case 'interrupt':
          expect(effect.turn).toBe(agent.turn)
          agent.turn = undefined
          return
        case 'pause':
        case 'resume':
          expect(effect.turn).toBe(agent.turn)
          expect(agent.paused).toBe(effect.effect === 'resume')
          agent.paused = effect.effect === 'pause'
      }
    },
    recognized(utterance: number, hasText: boolean) {
      if (recognizing.delete(utterance) && hasText) setAside.add(utterance)
    },
    setAside,
    finished(turn: number) {
      if (agent.turn === turn) agent.turn = undefined
    },
  }
}

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

/** Reduces events one after the other. The states are frozen, and pass through JSON on their way to the next event. */
const start = (options: TurnOptions = defaultOptions) => {
  const reduce = createTurnReducer(options)
  const now = { state: initialTurnState }
  return {
    now,
    take(event: TurnEvent, nowMs: number): readonly TurnEffect[] {
      const copied: TurnState = JSON.parse(JSON.stringify(now.state))
      expect(copied).toEqual(now.state)
      const { state, effects } = reduce(deepFreeze(copied), event, nowMs)
      expect(reduce(copied, event, nowMs)).toEqual({ state, effects })
      expect(JSON.parse(JSON.stringify(effects))).toEqual(effects)
      now.state = state
      return effects
    },
  }
}

test('a voice that does not interrupt is recognized while the agent speaks, and stored without a reply', () => {
  const { now, take } = start({ ...defaultOptions, voiceInterrupts: false })
  take({ event: 'text', id: 'id-1', text: 'One.' }, 0)
  take({ event: 'agent.audio', turn: 1 }, 100)
  take({ event: 'voice', on: true, agoMs: 0 }, 200)
  take({ event: 'voice', on: false, agoMs: 0 }, 1000)
  take({ event: 'time' }, now.state.dueMs!)
  const effects = take({ event: 'final', utterance: 1, text: 'Stop that.' }, 9000)
  expect(effects).toEqual([{ effect: 'store', input: { utterance: 1, text: 'Stop that.' } }])
  expect(now.state.agent.name).toBe('speaking')
})

test('where the agent does not answer a voice, what was said is stored, and answered with what follows', () => {
  const { now, take } = start({ ...defaultOptions, answersVoice: false })
  take({ event: 'voice', on: true, agoMs: 500 }, 600)
  take({ event: 'voice', on: false, agoMs: 0 }, 1000)
  take({ event: 'time' }, now.state.dueMs!)
  expect(take({ event: 'final', utterance: 1, text: 'How are you?' }, 9000)).toContainEqual({
    effect: 'store',
    input: { utterance: 1, text: 'How are you?' },
  })
  expect(take({ event: 'continue' }, 9100)).toContainEqual({ effect: 'continue', turn: 1 })
})

test('for any events at any time, effects are consistent, none occurs twice, and time is never due in the past', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('automatic' as const, 'push-to-talk' as const),
      fc.record({ detectsTurns: fc.boolean(), answersVoice: fc.boolean(), voiceInterrupts: fc.boolean() }),
      fc.record({
        interruptions_enabled: fc.boolean(),
        interruption_min_ms: fc.constantFrom(0, 500),
        endpointing_min_ms: fc.constantFrom(0, 500),
        endpointing_max_ms: fc.constantFrom(0, 3000),
        false_interruption_timeout_ms: fc.constantFrom(0, 400, 2000),
        preemptive: fc.boolean(),
      }),
      fc.array(fc.tuple(anyEvent, fc.integer({ min: 0, max: 700 })), { maxLength: 60 }),
      (inputMode, handling, turnConfig, events) => {
        const turns = start({ ...defaultOptions, ...handling, inputMode, turnConfig: { ...defaults, ...turnConfig } })
        const followed = follow()
        let nowMs = 1000.25
        let greeted = false
        const take = (event: TurnEvent) => {
          if (event.event === 'agent.finished') followed.finished(event.turn)
          const effects = turns.take(event, nowMs)
          for (const effect of effects) followed.take(effect)
          if (event.event === 'final') followed.recognized(event.utterance, event.text !== '')
          const { dueMs } = turns.now.state
          if (dueMs !== null) expect(dueMs).toBeGreaterThan(nowMs)
          // A prepared reply is never left behind.
          if (followed.agent.turn !== undefined || followed.open() !== 1) expect(followed.prepared.turn).toBeUndefined()
          if (!turnConfig.preemptive || !handling.answersVoice) expect(followed.prepared.count).toBe(0)
          return effects
        }
        const dueMs = () => turns.now.state.dueMs
        for (const [event, waitMs] of events) {
          // A conversation greets once, before any input.
          if (event.event === 'greet' && (greeted || followed.agent.turn !== undefined)) continue
          greeted ||= event.event === 'greet'
          const untilMs = nowMs + waitMs
          for (let due = dueMs(); due !== null && due < untilMs; due = dueMs()) {
            nowMs = due
            take({ event: 'time' })
          }
          nowMs = untilMs
          take(event)
        }
        take({ event: 'leave' })
        expect(followed.open()).toBe(0)
        expect(dueMs()).toBeNull()
        expect(take({ event: 'text', id: 'id', text: 'Too late.' })).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})
