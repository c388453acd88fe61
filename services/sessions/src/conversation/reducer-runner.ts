export interface Transition<State, Effect> {
  readonly state: State
  readonly effects: readonly Effect[]
}

/** A reduced event, for logs and replays. `atMs` is the time that was passed to the reducer. */
export interface ReducerStep<Event, Effect> {
  readonly event: Event
  readonly atMs: number
  readonly effects: readonly Effect[]
}

interface ReducerRunnerOptions<State, Event, Effect> {
  readonly initial: State
  reduce(state: State, event: Event | TimeEvent, nowMs: number): Transition<State, Effect>
  perform(effect: Effect): void
  /** Called before the effects are performed. */
  onStep?(step: ReducerStep<Event | TimeEvent, Effect>): void
  onFailed(error: unknown): void
}

interface TimeEvent {
  readonly event: 'time'
}

/**
 * Runs a reducer: takes events one at a time, performs their effects, and dispatches `time` at the `dueMs` of the state.
 *
 * - Events that are dispatched while effects are performed wait, so that effects of two events never interleave.
 * - An error in an effect skips the remaining effects of the same event. Later events are not affected.
 * - After `close` nothing is performed and no timer is left.
 */
export const createReducerRunner = <State extends { readonly dueMs: number | null }, Event, Effect>(
  options: ReducerRunnerOptions<State, Event, Effect>,
) => {
  const { reduce, perform, onStep, onFailed } = options
  const waiting: (Event | TimeEvent)[] = []
  let { initial: state } = options
  let activity: 'idle' | 'performing' | 'closed' = 'idle'
  let timer: NodeJS.Timeout | undefined

  const isClosed = () => activity === 'closed'

  const step = (event: Event | TimeEvent): void => {
    const atMs = performance.now()
    const { state: next, effects } = reduce(state, event, atMs)
    state = next
    onStep?.({ event, atMs, effects })
    for (const effect of effects) {
      if (isClosed()) return
      perform(effect)
    }
  }

  const schedule = (): void => {
    clearTimeout(timer)
    if (isClosed() || state.dueMs === null) return
    timer = setTimeout(onTimer, Math.max(0, Math.ceil(state.dueMs - performance.now())))
  }

  /** Node may call a timer a fraction of a millisecond early. */
  const onTimer = (): void => {
    if (state.dueMs !== null && performance.now() < state.dueMs) schedule()
    else dispatch({ event: 'time' })
  }

  const dispatch = (event: Event | TimeEvent): void => {
    if (isClosed()) return
    waiting.push(event)
    if (activity === 'performing') return
    activity = 'performing'
    for (let next = waiting.shift(); next !== undefined && !isClosed(); next = waiting.shift()) {
      try {
        step(next)
      } catch (error) {
        onFailed(error)
      }
    }
    if (!isClosed()) activity = 'idle'
    schedule()
  }

  return {
    get state(): State {
      return state
    },
    dispatch,
    close() {
      activity = 'closed'
      clearTimeout(timer)
    },
  }
}
