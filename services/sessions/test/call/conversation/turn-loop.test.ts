import { createTurnLoop } from '../../../src/call/conversation/turn-loop.js'
import type { TurnDecision, TurnEvent } from '../../../src/turn/turn-event.js'

const silence: TurnDecision = { decision: 'silence' }
const greeting = (turn: number): TurnDecision => ({ decision: 'greet', turn })

test('what happens while decisions are done waits for its turn', () => {
  const log: string[] = []
  const turns = {
    dueMs: undefined,
    take({ event }: TurnEvent) {
      log.push(`take ${event}`)
      return event === 'greet' ? [greeting(1), greeting(2)] : [silence]
    },
  }
  const loop = createTurnLoop(
    turns,
    (decision) => {
      log.push(`do ${decision.decision}`)
      if (decision === silence) return
      loop.happened({ event: 'interrupt' })
    },
    () => log.push('broken'),
  )
  loop.happened({ event: 'greet' })
  expect(log).toEqual([
    ...['take greet', 'do greet', 'do greet'],
    ...['take interrupt', 'do silence', 'take interrupt', 'do silence'],
  ])
})

test('an error in what is done is told, and later events are taken all the same', () => {
  const errors: unknown[] = []
  let done = 0
  const loop = createTurnLoop(
    { dueMs: undefined, take: () => [silence] },
    () => {
      done += 1
      throw new Error('broken')
    },
    (error) => errors.push(error),
  )
  loop.happened({ event: 'time' })
  loop.happened({ event: 'time' })
  expect(errors).toHaveLength(2)
  expect(done).toBe(2)
})

test('a loop that is closed by a decision does no more of them', () => {
  const done: TurnDecision[] = []
  const loop = createTurnLoop(
    { dueMs: performance.now() + 5, take: () => [greeting(1), greeting(2)] },
    (decision) => {
      done.push(decision)
      loop.close()
    },
    () => {},
  )
  loop.happened({ event: 'time' })
  loop.happened({ event: 'time' })
  expect(done).toEqual([greeting(1)])
})
