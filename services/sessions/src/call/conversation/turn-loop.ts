import type { TurnDecision, TurnEvent } from '../../turn/turn-event.js'
import type { TurnTaking } from '../../turn/turn-taking.js'

/** Tells `turn/` what happens, and when time has passed. */
export interface TurnLoop {
  happened(event: TurnEvent): void
  close(): void
}

/** Events that come while decisions are done wait for their turn, so that decisions never interleave. */
export const createTurnLoop = (
  turns: TurnTaking,
  perform: (decision: TurnDecision) => void,
  onBroken: (error: unknown) => void,
): TurnLoop => {
  const waiting: TurnEvent[] = []
  let performing = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const performAll = (): void => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      for (const decision of turns.take(event, performance.now())) {
        if (closed) return
        perform(decision)
      }
    }
  }

  const watchTime = (): void => {
    clearTimeout(timer)
    const { dueMs } = turns
    if (closed || dueMs === undefined) return
    timer = setTimeout(() => happened({ event: 'time' }), Math.max(0, Math.ceil(dueMs - performance.now())))
  }

  const happened = (event: TurnEvent): void => {
    if (closed) return
    waiting.push(event)
    if (performing) return
    performing = true
    try {
      performAll()
    } catch (error) {
      onBroken(error)
    }
    performing = false
    watchTime()
  }

  return {
    happened,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
