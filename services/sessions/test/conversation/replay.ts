import type { AgentConfig } from '@parlance/contracts'
import { createCallReducer, initialCallState } from '../../src/conversation/call-reducer.js'
import type { ConversationStep } from '../../src/conversation/conversation.js'
import { createTurnReducer } from '../../src/conversation/turn/turn-reducer.js'
import { initialTurnState, turnOptionsOf } from '../../src/conversation/turn/turn-state.js'

/** A recorded conversation, as JSON data. */
export interface Recording {
  readonly inputMode: 'automatic' | 'push-to-talk'
  readonly config: AgentConfig
  /** Whether a turn detector took part. */
  readonly detectsTurns: boolean
  readonly steps: readonly ConversationStep[]
}

/** Reduces the recorded events again, at their times. Answers the same steps, with the effects of now. */
export const replay = ({ inputMode, config, detectsTurns, steps }: Recording): ConversationStep[] => {
  const reduceCall = createCallReducer({ maxDurationMs: config.session_config.max_duration_seconds * 1000 })
  const reduceTurn = createTurnReducer(turnOptionsOf(config, { inputMode, detectsTurns }))
  let call = initialCallState
  let turn = initialTurnState
  return steps.map((step): ConversationStep => {
    if (step.machine === 'call') {
      const { state, effects } = reduceCall(call, step.event, step.atMs)
      call = state
      return { ...step, effects }
    }
    const { state, effects } = reduceTurn(turn, step.event, step.atMs)
    turn = state
    return { ...step, effects }
  })
}
