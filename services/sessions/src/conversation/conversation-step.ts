import type { Logger } from '@parlance/telemetry'
import type { CallEffect, CallEvent } from './call-reducer.js'
import type { ReducerStep } from './reducer-runner.js'
import type { TurnEffect } from './turn/turn-effect.js'
import type { TurnEvent } from './turn/turn-event.js'

/**
 * An event of a conversation and the effects that followed from it, as plain JSON data. The steps of one conversation, in
 * their order, replay to the same effects. They hold the user's words.
 */
export type ConversationStep =
  | ({ readonly machine: 'call' } & ReducerStep<CallEvent, CallEffect>)
  | ({ readonly machine: 'turn' } & ReducerStep<TurnEvent, TurnEffect>)

export interface StepReporterOptions {
  readonly sessionId: string
  readonly logger: Logger
  readonly recordStep: ((step: ConversationStep) => void) | undefined
}

/** Passes each step to the recorder, and logs the names of its event and effects at level `debug`, without the user's words. */
export const createStepReporter = ({ sessionId, logger, recordStep }: StepReporterOptions) => {
  const isLogged = logger.isLevelEnabled('debug')

  return (step: ConversationStep): void => {
    recordStep?.(step)
    if (!isLogged) return
    const effects = step.effects.map(({ effect }) => effect).join(', ')
    logger.debug({ component: step.machine, sessionId }, `Event ${step.event.event}, effects: ${effects || 'none'}`)
  }
}
