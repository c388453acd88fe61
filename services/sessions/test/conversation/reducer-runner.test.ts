import { createReducerRunner, type ReducerStep } from '../../src/conversation/reducer-runner.js'

interface Event {
  readonly event: 'first' | 'second' | 'time'
}
interface Effect {
  readonly effect: 'one' | 'two' | 'three'
}

const start = (options: {
  readonly effects: Record<Event['event'], readonly Effect['effect'][]>
  readonly dueMs?: number | null
  perform(effect: Effect): void
  onStep?(step: ReducerStep<Event, Effect>): void
  onFailed?(error: unknown): void
}) =>
  createReducerRunner<{ readonly dueMs: number | null }, Event, Effect>({
    initial: { dueMs: null },
    reduce: (_state, { event }) => ({
      state: { dueMs: options.dueMs ?? null },
      effects: options.effects[event].map((effect) => ({ effect })),
    }),
    perform: options.perform,
    ...(options.onStep && { onStep: options.onStep }),
    onFailed: options.onFailed ?? (() => {}),
  })

test('an event that is dispatched by an effect waits until all effects of the event before are performed', () => {
  const log: string[] = []
  const machine = start({
    effects: { first: ['one', 'two'], second: ['three'], time: [] },
    perform({ effect }) {
      log.push(effect)
      if (effect !== 'three') machine.dispatch({ event: 'second' })
    },
    onStep: ({ event: { event } }) => log.push(event),
  })
  machine.dispatch({ event: 'first' })
  expect(log).toEqual(['first', 'one', 'two', 'second', 'three', 'second', 'three'])
})

test('an error in an effect is reported, and later events are taken, including waiting ones', () => {
  const errors: unknown[] = []
  const performed: string[] = []
  const machine = start({
    effects: { first: ['one', 'two'], second: ['three'], time: [] },
    perform({ effect }) {
      performed.push(effect)
      if (effect === 'three') return
      machine.dispatch({ event: 'second' })
      throw new Error('broken')
    },
    onFailed: (error) => errors.push(error),
  })
  machine.dispatch({ event: 'first' })
  machine.dispatch({ event: 'first' })
  expect(errors).toHaveLength(2)
  expect(performed).toEqual(['one', 'three', 'one', 'three'])
})

test('the handler of an error may dispatch the event that ends the machine', () => {
  const performed: string[] = []
  const machine = start({
    effects: { first: ['one'], second: ['two'], time: [] },
    perform({ effect }) {
      performed.push(effect)
      if (effect === 'one') throw new Error('broken')
      machine.close()
    },
    onFailed: () => machine.dispatch({ event: 'second' }),
  })
  machine.dispatch({ event: 'first' })
  machine.dispatch({ event: 'first' })
  expect(performed).toEqual(['one', 'two'])
})

test('a machine that is closed by an effect performs no more effects and takes no more events', () => {
  const performed: string[] = []
  const machine = start({
    effects: { first: ['one', 'two'], second: ['three'], time: [] },
    dueMs: performance.now() + 5,
    perform({ effect }) {
      performed.push(effect)
      machine.close()
    },
  })
  machine.dispatch({ event: 'first' })
  machine.dispatch({ event: 'second' })
  expect(performed).toEqual(['one'])
})

test('time is dispatched at the dueMs of the state', async () => {
  const dueMs = performance.now() + 5
  const timed = await new Promise<ReducerStep<Event, Effect>>((resolve) => {
    const machine = start({
      effects: { first: [], second: [], time: ['one'] },
      dueMs,
      perform: () => machine.close(),
      onStep: (step) => step.event.event === 'time' && resolve(step),
    })
    machine.dispatch({ event: 'first' })
  })
  expect(timed.atMs).toBeGreaterThanOrEqual(dueMs)
})
