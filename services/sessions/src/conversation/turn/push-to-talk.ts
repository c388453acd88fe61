import { interruptTurn } from './agent-turn.js'
import type { TurnStep } from './turn-state.js'
import { beginUtterance, cancelUnrecognized, cancelUtterance, finishUtterance } from './user-turn.js'
import { wasVoiced } from './utterance.js'

export type PushToTalkEvent = 'ptt.start' | 'ptt.commit' | 'ptt.cancel'

/** In push-to-talk the user marks the beginning and the end of an utterance, and may always interrupt. */
export const takePushToTalk = (event: PushToTalkEvent, step: TurnStep) => {
  const { utterance } = step.state.user
  switch (event) {
    case 'ptt.start':
      if (utterance !== null) return
      interruptTurn(step)
      return beginUtterance(step, 'push-to-talk')
    case 'ptt.commit':
      // A recognizer may invent text for silence, so an utterance without voice is not recognized.
      if (utterance !== null && wasVoiced(utterance)) return finishUtterance(step, 'user')
      return cancelUnrecognized(step)
    case 'ptt.cancel':
      return cancelUtterance(step)
  }
}
