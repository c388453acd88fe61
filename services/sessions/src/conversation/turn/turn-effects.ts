import type { AgentConfig } from '@parlance/contracts'
import type { AgentTurns, AgentTurnsOptions } from '../agent/agent-turns.js'
import type { UserTurns } from '../user/user-turns.js'
import type { TurnEffect } from './turn-effect.js'

export interface TurnEffectsOptions extends Pick<AgentTurnsOptions, 'send'> {
  readonly config: Pick<AgentConfig, 'first_message'>
  readonly user: Pick<UserTurns, 'perform' | 'commit'>
  readonly agent: Pick<
    AgentTurns,
    'greet' | 'say' | 'continue' | 'reply' | 'prepare' | 'discard' | 'commit' | 'pause' | 'resume' | 'interrupt'
  >
  onSilence(): void
}

/** Performs the effects of the turn reducer. */
export const createTurnEffects =
  ({ config, user, agent, send, onSilence }: TurnEffectsOptions) =>
  (effect: TurnEffect) => {
    switch (effect.effect) {
      case 'recognition.begin':
      case 'recognition.finish':
      case 'recognition.cancel':
      case 'recognition.preview':
      case 'turn.detect':
        return user.perform(effect)
      case 'greet':
        return agent.greet(effect.turn, config.first_message ?? '')
      case 'say':
        return agent.say(effect.turn, effect.id, effect.text)
      case 'continue':
        return agent.continue(effect.turn)
      case 'reply':
        return agent.reply(effect.turn, user.commit(effect.input), effect.input.text, effect.missed)
      case 'reply.prepare':
        return agent.prepare(effect.turn, effect.text)
      case 'reply.discard':
        return agent.discard()
      case 'reply.commit':
        return agent.commit(effect.turn, user.commit(effect.input), effect.input.text)
      case 'pause':
        return agent.pause()
      case 'resume':
        return agent.resume()
      case 'interrupt':
        return agent.interrupt()
      case 'user.speech': {
        const { effect: event, ...speech } = effect
        return send({ event, ...speech })
      }
      case 'agent.state':
        return send({ event: 'agent.state', state: effect.state })
      case 'silence.timeout':
        return onSilence()
    }
  }
