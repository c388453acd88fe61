import type { OpenedSession } from './open-session.js'
import type { InputMode, ParlanceClient } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'
import { randomUuid } from './uuid.js'

/** The user's voice, text and push-to-talk. Muting and the device apply to later sessions too. */
export interface UserInput {
  readonly controls: Pick<
    ParlanceClient,
    | 'sendText'
    | 'startPushToTalk'
    | 'commitPushToTalk'
    | 'cancelPushToTalk'
    | 'interrupt'
    | 'updateContext'
    | 'mute'
    | 'unmute'
    | 'setInputDevice'
  >
  /** The microphone that the user chose. */
  device(): string | undefined
  /** Whether the audio of the microphone is sent. */
  isSent(inputMode: InputMode): boolean
  /** To be called when a session is open: the service learns what the user chose before. */
  onOpened(opened: OpenedSession): void
  /** To be called when a session is over. */
  onOver(): void
}

/** `opened` returns the open session. The controls throw `not_connected` when no session is open. */
export const createUserInput = (opened: () => OpenedSession | undefined): UserInput => {
  let isMuted = false
  let isTalkPressed = false
  let device: string | undefined

  const live = (): OpenedSession => {
    const session = opened()
    if (session === undefined) throw new ParlanceError('not_connected', 'There is no session: connect first.')
    return session
  }
  const pushToTalk = (event: 'ptt.start' | 'ptt.commit' | 'ptt.cancel'): void => {
    const { session, microphone, send } = live()
    if (session.inputMode !== 'push-to-talk' || session.textOnly) {
      throw new ParlanceError('not_connected', 'Connect with the input mode push-to-talk, and a microphone.')
    }
    isTalkPressed = event === 'ptt.start'
    microphone.apply()
    send({ event })
  }
  const setMuted = (next: boolean): void => {
    if (isMuted === next) return
    isMuted = next
    opened()?.microphone.apply()
    opened()?.send({ event: 'mute', muted: isMuted })
  }

  return {
    controls: {
      sendText(text) {
        const id = randomUuid()
        live().send({ event: 'text.send', id, text })
        return id
      },
      startPushToTalk: () => pushToTalk('ptt.start'),
      commitPushToTalk: () => pushToTalk('ptt.commit'),
      cancelPushToTalk: () => pushToTalk('ptt.cancel'),
      interrupt: () => live().send({ event: 'interrupt' }),
      updateContext: (text) => live().send({ event: 'context.update', text }),
      mute: () => setMuted(true),
      unmute: () => setMuted(false),
      async setInputDevice(id) {
        const session = opened()
        if (session !== undefined && !session.session.textOnly) await session.microphone.use(id)
        device = id
      },
    },
    device: () => device,
    isSent: (inputMode) => !isMuted && (inputMode === 'automatic' || isTalkPressed),
    onOpened(session) {
      if (isMuted) session.send({ event: 'mute', muted: isMuted })
    },
    onOver() {
      isTalkPressed = false
    },
  }
}
