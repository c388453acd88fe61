import type { AgentTurns, AgentTurnsOptions } from './agent/agent-turns.js'
import type { CallEffect, CallEvent } from './call-reducer.js'
import type { ClientEvents } from './client-events.js'
import type { ConversationEnd, ConversationOptions } from './conversation.js'
import type { TurnEvent } from './turn/turn-event.js'
import type { UserTurns } from './user/user-turns.js'

export interface CallEffectsOptions
  extends Pick<
      ConversationOptions,
      'config' | 'journal' | 'transport' | 'playback' | 'voiceDetector' | 'recognizer' | 'logger'
    >,
    Pick<AgentTurnsOptions, 'send'> {
  readonly turns: { dispatch(event: TurnEvent): void; close(): void }
  readonly agent: Pick<AgentTurns, 'close'>
  readonly user: Pick<UserTurns, 'close'>
  readonly refuse: ClientEvents['refuse']
  dispatch(event: CallEvent): void
  /** Called when the transport is closed. */
  onReleased(end: ConversationEnd): void
}

/** Performs the effects of the call reducer. */
export const createCallEffects = (options: CallEffectsOptions) => {
  const { config, journal, transport, playback, voiceDetector, recognizer, logger, send, refuse } = options
  const { turns, agent, user } = options

  const begin = (): void => {
    journal.started()
    if (voiceDetector !== undefined && recognizer === undefined)
      refuse('unavailable', 'There is no speech recognition here. Send text instead.')
    if (config.first_message !== null) turns.dispatch({ event: 'greet' })
  }

  /** Continues when a part cannot be closed. Never rejects. */
  const attempt = async (close: () => void | Promise<void>): Promise<void> => {
    try {
      await close()
    } catch (err) {
      logger.error({ err }, 'A part of a conversation could not be closed')
    }
  }

  return (effect: CallEffect) => {
    switch (effect.effect) {
      case 'begin':
        return begin()
      case 'announce':
        send({ event: 'session.ending', reason: effect.reason, deadline_ms: effect.deadlineMs })
        return journal.ending(effect.reason)
      case 'leave':
        return turns.dispatch({ event: 'leave' })
      case 'close':
        turns.close()
        attempt(() => agent.close())
        attempt(() => user.close())
        attempt(() => send({ event: 'session.ended', reason: effect.reason, end_reason: effect.reason }))
        return options.dispatch({ event: 'closed' })
      case 'release':
        attempt(() => playback.close())
        attempt(() => transport.close()).then(() => options.onReleased(effect.end))
    }
  }
}
