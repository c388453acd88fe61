import { agentConfigSchema } from '@parlance/contracts'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import type { TurnDecision, TurnEvent } from '../../src/turn/turn-event.js'
import { createTurnTaking } from '../../src/turn/turn-taking.js'

const { turn_config: defaults } = agentConfigSchema.parse({
  slug: 'an-agent',
  display_name: 'An agent',
  voice_id: '0'.repeat(32),
  llm_provider: 'builtin',
  llm_model: 'b',
})

const number = fc.integer({ min: 1, max: 4 })
const text = fc.constantFrom('', 'um', 'Yes.')
const anyEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.record({ event: fc.constant('voice' as const), on: fc.boolean(), agoMs: fc.constantFrom(0, 60, 1000) }),
  fc.record({ event: fc.constant('partial' as const), utterance: number, text }),
  fc.record({ event: fc.constant('final' as const), utterance: number, text }),
  fc.record({ event: fc.constantFrom('ptt.start' as const, 'ptt.commit' as const, 'ptt.cancel' as const) }),
  fc.record({ event: fc.constant('text' as const), id: fc.constant('id'), text }),
  fc.record({ event: fc.constantFrom('interrupt' as const, 'greet' as const, 'time' as const) }),
  fc.record({ event: fc.constant('speaking' as const), turn: number }),
  fc.record({ event: fc.constant('over' as const), turn: number }),
  { weight: 1, arbitrary: fc.record({ event: fc.constant('leave' as const) }) },
)

/** What is under way, as far as the decisions tell. */
const follow = () => {
  const listening = new Set<number>()
  const understanding = new Set<number>()
  const state = { turn: undefined as number | undefined, held: false }

  return {
    state,
    open: () => listening.size + understanding.size,
    take(decision: TurnDecision) {
      switch (decision.decision) {
        case 'listen':
          expect(listening.size).toBe(0)
          return listening.add(decision.utterance)
        case 'understand':
          expect(listening.delete(decision.utterance)).toBe(true)
          return understanding.add(decision.utterance)
        case 'forget':
          return expect(listening.delete(decision.utterance) || understanding.delete(decision.utterance)).toBe(true)
        case 'greet':
        case 'reply':
          expect(state.turn).toBeUndefined()
          if (decision.decision === 'reply' && 'utterance' in decision.said) {
            expect(understanding.delete(decision.said.utterance)).toBe(true)
          }
          state.turn = decision.turn
          state.held = false
          return
        case 'interrupt':
          expect(decision.turn).toBe(state.turn)
          state.turn = undefined
          return
        case 'hold':
        case 'resume':
          expect(decision.turn).toBe(state.turn)
          expect(state.held).toBe(decision.decision === 'resume')
          state.held = decision.decision === 'hold'
      }
    },
    understood: (utterance: number) => understanding.delete(utterance),
    over(turn: number) {
      if (state.turn === turn) state.turn = undefined
    },
  }
}

test('what comes late of a turn that is over changes nothing', () => {
  const turns = createTurnTaking({
    inputMode: 'automatic',
    language: 'en',
    firstMessageInterruptible: true,
    silenceTimeoutMs: 5000,
    turnConfig: defaults,
  })
  turns.take({ event: 'text', id: 'id-1', text: 'One.' }, 0)
  turns.take({ event: 'text', id: 'id-2', text: 'Two.' }, 100)
  expect(turns.take({ event: 'speaking', turn: 1 }, 200)).toEqual([])
  expect(turns.take({ event: 'over', turn: 1 }, 300)).toEqual([])
  expect(turns.take({ event: 'speaking', turn: 2 }, 400)).toEqual([{ decision: 'agent.state', state: 'speaking' }])
})

test('whatever happens when, decisions fit together, nothing is decided twice, and time is never due in the past', () => {
  const seed = testSeed()
  fc.assert(
    fc.property(
      fc.constantFrom('automatic' as const, 'push-to-talk' as const),
      fc.record({
        interruptions_enabled: fc.boolean(),
        interruption_min_ms: fc.constantFrom(0, 500),
        endpointing_min_ms: fc.constantFrom(0, 500),
        endpointing_max_ms: fc.constantFrom(0, 3000),
        false_interruption_timeout_ms: fc.constantFrom(0, 400, 2000),
      }),
      fc.array(fc.tuple(anyEvent, fc.integer({ min: 0, max: 700 })), { maxLength: 60 }),
      (inputMode, turnConfig, happenings) => {
        const turns = createTurnTaking({
          inputMode,
          language: 'en',
          firstMessageInterruptible: true,
          silenceTimeoutMs: 5000,
          turnConfig: { ...defaults, ...turnConfig },
        })
        const followed = follow()
        let nowMs = 1000.25
        let greeted = false
        const take = (event: TurnEvent) => {
          if (event.event === 'over') followed.over(event.turn)
          const decisions = turns.take(event, nowMs)
          for (const decision of decisions) followed.take(decision)
          if (event.event === 'final') followed.understood(event.utterance)
          const { dueMs } = turns
          if (dueMs !== undefined) expect(dueMs).toBeGreaterThan(nowMs)
          return decisions
        }
        for (const [event, waitMs] of happenings) {
          // A conversation greets once, before anything is said.
          if (event.event === 'greet' && (greeted || followed.state.turn !== undefined)) continue
          greeted ||= event.event === 'greet'
          const untilMs = nowMs + waitMs
          for (let { dueMs } = turns; dueMs !== undefined && dueMs < untilMs; { dueMs } = turns) {
            nowMs = dueMs
            take({ event: 'time' })
          }
          nowMs = untilMs
          take(event)
        }
        take({ event: 'leave' })
        expect(followed.open()).toBe(0)
        expect(turns.dueMs).toBeUndefined()
        expect(take({ event: 'text', id: 'id', text: 'Too late.' })).toEqual([])
      },
    ),
    { seed, numRuns: 500 },
  )
})
