import type { AgentSide } from './agent-side.js'
import type { UserSide } from './user-side.js'
import { wasVoiced } from './utterance.js'

export type PushToTalkEvent = 'ptt.start' | 'ptt.commit' | 'ptt.cancel'

/** The user himself says when he speaks; and he may always. */
export const takePushToTalk = (event: PushToTalkEvent, user: UserSide, agent: AgentSide, nowMs: number): void => {
  const { utterance } = user
  switch (event) {
    case 'ptt.start':
      if (utterance !== undefined) return
      agent.interrupt()
      user.listen('push-to-talk', nowMs)
      return
    case 'ptt.commit':
      // A recogniser that is given silence may well make something up.
      if (utterance !== undefined && wasVoiced(utterance)) user.understand(nowMs)
      else user.forgetUnrecognized()
      return
    case 'ptt.cancel':
      user.forget()
  }
}
