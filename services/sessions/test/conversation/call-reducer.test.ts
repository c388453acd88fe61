import fc from 'fast-check'
import {
  type CallEvent,
  type CallState,
  createCallReducer,
  initialCallState,
} from '../../src/conversation/call-reducer.js'

const reduce = createCallReducer({ maxDurationMs: 60_000 })

test('for any sequence of events, each effect is requested at most once, in the order of a conversation', () => {
  const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
    fc.record({ event: fc.constantFrom('client.ready' as const, 'agent.finished' as const, 'time' as const) }),
    fc.record({ event: fc.constant('transport.lost' as const), reason: fc.constant('connection_lost' as const) }),
    fc.record({
      event: fc.constant('end' as const),
      reason: fc.constantFrom('drained' as const, 'llm_error' as const),
      deadlineMs: fc.constantFrom(0, 300, 5_000),
      error: fc.constant(null),
      agentBusy: fc.boolean(),
    }),
  )
  const order = ['begin', 'announce', 'leave', 'close']
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, fc.nat(30_000)), { maxLength: 30 }), (events) => {
      let nowMs = 0
      let state: CallState = initialCallState
      const effects: string[] = []
      for (const [event, passedMs] of events) {
        nowMs += passedMs
        const before = JSON.stringify(state)
        const transition = reduce(state, event, nowMs)
        expect(JSON.stringify(state)).toBe(before)
        expect(JSON.parse(JSON.stringify(transition))).toEqual(transition)
        state = transition.state
        effects.push(...transition.effects.map(({ effect }) => effect))
      }
      expect(effects).toEqual(order.filter((effect) => effects.includes(effect)))
      expect(effects.includes('close')).toBe(state.name === 'ended')
    }),
    { numRuns: 300 },
  )
})
