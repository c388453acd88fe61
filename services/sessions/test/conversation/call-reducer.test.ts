import fc from 'fast-check'
import {
  type CallEvent,
  type CallState,
  createCallReducer,
  initialCallState,
} from '../../src/conversation/call-reducer.js'

const maxDurationMs = 60_000
const reduce = createCallReducer({ maxDurationMs })
const ready: CallEvent = { event: 'client.ready' }

const end = (reason: 'api_ended' | 'drained' | 'tts_error', deadlineMs: number, agentBusy = true): CallEvent => ({
  event: 'end',
  reason,
  deadlineMs,
  error: null,
  agentBusy,
})

/** The states and effects by their names. */
const run = (...events: readonly (readonly [atMs: number, event: CallEvent])[]) => {
  const names: string[] = []
  let state: CallState = initialCallState
  for (const [atMs, event] of events) {
    const transition = reduce(state, event, atMs)
    state = transition.state
    names.push(...transition.effects.map(({ effect }) => effect), `(${state.name})`)
  }
  return { state, names: names.join(' ') }
}

test('a client that is ready begins the conversation once', () => {
  expect(run([0, ready], [1, ready]).names).toBe('begin (live) (live)')
})

test('an end lets a busy agent finish until the deadline, and ends at once where the agent is idle', () => {
  const finished = run([0, ready], [1, end('drained', 500)], [2, { event: 'agent.finished' }], [2, { event: 'closed' }])
  expect(finished.names).toBe('begin (live) announce leave (ending) close (closing) release (ended)')
  const late = run([0, ready], [1, end('drained', 500)], [500, { event: 'time' }], [501, { event: 'time' }])
  expect(late.names).toBe('begin (live) announce leave (ending) (ending) close (closing)')
  expect(run([0, ready], [1, end('drained', 500, false)]).names).toBe('begin (live) announce leave close (closing)')
})

test('the first reason is kept, and the nearest deadline applies', () => {
  const { state } = run([0, ready], [1, end('drained', 500)], [2, end('api_ended', 100)], [3, end('tts_error', 900)])
  expect(state).toEqual({ name: 'ending', dueMs: 102, end: { reason: 'drained', error: null }, leaving: true })
})

test('the maximum duration is announced 10 s ahead, and the conversation continues until it is reached', () => {
  const { names, state } = run([5, ready], [50_005, { event: 'time' }], [50_006, { event: 'agent.finished' }])
  expect(names).toBe('begin (live) announce (ending) (ending)')
  expect(state).toMatchObject({ dueMs: 60_005, end: { reason: 'max_duration' }, leaving: false })
  expect(reduce(state, { event: 'time' }, 60_005).effects).toEqual([{ effect: 'close', reason: 'max_duration' }])
})

test('only a reason that is a failure has an error', () => {
  expect(run([0, end('tts_error', 0)]).state).toMatchObject({ end: { error: { code: 'internal_error' } } })
  const error = { code: 'upstream_error', detail: 'It broke.' }
  const failed = reduce(
    initialCallState,
    { event: 'end', reason: 'llm_error', deadlineMs: 0, error, agentBusy: false },
    0,
  )
  expect(failed.state).toMatchObject({ end: { reason: 'llm_error', error } })
  const lost = reduce(initialCallState, { event: 'transport.lost', reason: 'connection_lost' }, 0)
  expect(lost.state).toMatchObject({ name: 'closing', end: { reason: 'connection_lost', error: null } })
})

test('for any sequence of events, each effect is requested at most once, in the order of a conversation', () => {
  const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
    fc.record({ event: fc.constantFrom('client.ready' as const, 'agent.finished' as const, 'time' as const) }),
    fc.record({ event: fc.constant('closed' as const) }),
    fc.record({ event: fc.constant('transport.lost' as const), reason: fc.constant('connection_lost' as const) }),
    fc.record({
      event: fc.constant('end' as const),
      reason: fc.constantFrom('drained' as const, 'llm_error' as const),
      deadlineMs: fc.constantFrom(0, 300, 5_000),
      error: fc.constant(null),
      agentBusy: fc.boolean(),
    }),
  )
  const order = ['begin', 'announce', 'leave', 'close', 'release']
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
      expect(effects.includes('close')).toBe(state.name === 'closing' || state.name === 'ended')
      expect(effects.includes('release')).toBe(state.name === 'ended')
    }),
    { numRuns: 300 },
  )
})
