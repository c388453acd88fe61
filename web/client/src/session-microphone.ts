import type { OpenMicrophone } from './microphone.js'
import { ParlanceError } from './parlance-error.js'

/** The microphone of one session, whichever it is. */
export interface SessionMicrophone {
  track(): MediaStreamTrack | undefined
  /** Asks for the first one. Rejects with a `ParlanceError`. */
  open(deviceId: string | undefined): Promise<MediaStreamTrack>
  /** From now on another one goes to `send`. */
  sendTo(send: (track: MediaStreamTrack) => Promise<void>): void
  /** Another one, in place of the one there is. Rejects with a `ParlanceError`; then that one is used on. */
  use(deviceId: string): Promise<void>
  /** Asks `isHeard` again. */
  apply(): void
  /** Off, for good: one that the user allows only now is not used. */
  close(): void
}

export interface SessionMicrophoneOptions {
  readonly openMicrophone: OpenMicrophone
  /** Whether what it hears is sent. */
  readonly isHeard: () => boolean
  /** It was unplugged, and no other took its place. */
  readonly onLost: (error: ParlanceError) => void
}

export const createSessionMicrophone = (options: SessionMicrophoneOptions): SessionMicrophone => {
  const { openMicrophone, isHeard, onLost } = options
  let microphone: Awaited<ReturnType<OpenMicrophone>> | undefined
  let send: ((track: MediaStreamTrack) => Promise<void>) | undefined
  let closed = false

  const open = async (deviceId?: string): Promise<MediaStreamTrack> => {
    const opened = await openMicrophone({ deviceId, onLost: () => void replaceLost() })
    if (closed) {
      opened.close()
      throw new ParlanceError('aborted', 'The session was over before the microphone was on.')
    }
    microphone?.close()
    microphone = opened
    opened.track.enabled = isHeard()
    await send?.(opened.track)
    return opened.track
  }

  /** The user's default takes its place. */
  const replaceLost = async (): Promise<void> => {
    microphone = undefined
    try {
      await open()
    } catch (cause) {
      if (!closed)
        onLost(new ParlanceError('microphone_lost', 'The microphone is gone. Plug one in, or type.', { cause }))
    }
  }

  return {
    track: () => microphone?.track,
    open,
    sendTo(given) {
      send = given
    },
    async use(deviceId) {
      await open(deviceId)
    },
    apply() {
      if (microphone !== undefined) microphone.track.enabled = isHeard()
    },
    close() {
      closed = true
      microphone?.close()
      microphone = undefined
    },
  }
}
