import { createReported } from './emitter.js'
import type { OpenedSession } from './open-session.js'
import type { CaptureOptions, InputMode, ParlanceClient } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'

/** `crypto.randomUUID` exists only in secure contexts, and a session without a microphone does not need one. */
const randomUuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The user's voice, text and push-to-talk. Muting and the device apply to later sessions too. */
export interface UserInput {
  readonly controls: Pick<
    ParlanceClient,
    | 'sendText'
    | 'say'
    | 'sendUserActivity'
    | 'startPushToTalk'
    | 'commitPushToTalk'
    | 'cancelPushToTalk'
    | 'interrupt'
    | 'updateContext'
    | 'mute'
    | 'unmute'
    | 'setInputDevice'
  >
  muted(): boolean
  /** The microphone that the user chose. */
  device(): Pick<CaptureOptions, 'deviceId'>
  /** Whether the audio of the microphone is sent. */
  isSent(inputMode: InputMode): boolean
  /** To be called when a session is open: the service learns what the user chose before. */
  onOpened(opened: OpenedSession): void
  /** To be called when a session is over. */
  onOver(): void
}

/** `opened` returns the open session. The controls throw `not_connected` when no session is open. */
export const createUserInput = (
  opened: () => OpenedSession | undefined,
  onMuted: (isMuted: boolean) => void,
): UserInput => {
  let isTalkPressed = false
  let device: Pick<CaptureOptions, 'deviceId'> = {}

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
  const muted = createReported<boolean>(false, (isMuted) => {
    opened()?.microphone.apply()
    opened()?.send({ event: 'mute', muted: isMuted })
    onMuted(isMuted)
  })
  const sendOwn = (event: 'text.send' | 'agent.say', text: string): string => {
    const id = randomUuid()
    live().send({ event, id, text })
    return id
  }

  return {
    controls: {
      sendText: (text) => sendOwn('text.send', text),
      say: (text) => sendOwn('agent.say', text),
      sendUserActivity: () => live().send({ event: 'user.activity' }),
      startPushToTalk: () => pushToTalk('ptt.start'),
      commitPushToTalk: () => pushToTalk('ptt.commit'),
      cancelPushToTalk: () => pushToTalk('ptt.cancel'),
      interrupt: () => live().send({ event: 'interrupt' }),
      updateContext: (text) => live().send({ event: 'context.update', text }),
      mute: () => muted.set(true),
      unmute: () => muted.set(false),
      async setInputDevice(id) {
        const session = opened()
        if (session !== undefined && !session.session.textOnly) await session.microphone.use(id)
        device = { deviceId: id }
      },
    },
    muted: muted.get,
    device: () => device,
    isSent: (inputMode) => !muted.get() && (inputMode === 'automatic' || isTalkPressed),
    onOpened(session) {
      if (muted.get()) session.send({ event: 'mute', muted: true })
    },
    onOver() {
      isTalkPressed = false
    },
  }
}
