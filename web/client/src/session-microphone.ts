import type { OpenMicrophone } from './microphone.js'
import { ParlanceError } from './parlance-error.js'

/** The microphone of one session. It may be replaced by another one. */
export interface SessionMicrophone {
  track(): MediaStreamTrack | undefined
  /** Opens the first microphone. Rejects with a `ParlanceError`. */
  open(deviceId: string | undefined): Promise<MediaStreamTrack>
  /** Passes every microphone that replaces the first one to `send`. */
  sendTo(send: (track: MediaStreamTrack) => Promise<void>): void
  /** Replaces the microphone. Rejects with a `ParlanceError`, and then keeps the current one. */
  use(deviceId: string): Promise<void>
  /** Reads `isSent` again. */
  apply(): void
  /** Turns the microphone off for good, also one that the user allows later. */
  close(): void
}

export interface SessionMicrophoneOptions {
  readonly openMicrophone: OpenMicrophone
  /** Whether the audio of the microphone is sent. */
  readonly isSent: () => boolean
  /** The microphone was unplugged, and no other replaced it. */
  readonly onLost: (error: ParlanceError) => void
}

export const createSessionMicrophone = (options: SessionMicrophoneOptions): SessionMicrophone => {
  const { openMicrophone, isSent, onLost } = options
  let microphone: Awaited<ReturnType<OpenMicrophone>> | undefined
  let send: ((track: MediaStreamTrack) => Promise<void>) | undefined
  let closed = false

  const open = async (deviceId?: string): Promise<MediaStreamTrack> => {
    const opened = await openMicrophone({ deviceId, onLost: () => void replaceLost() })
    if (closed) {
      opened.close()
      throw new ParlanceError('aborted', 'The session ended before the microphone was on.')
    }
    microphone?.close()
    microphone = opened
    opened.track.enabled = isSent()
    await send?.(opened.track)
    return opened.track
  }

  /** The user's default microphone replaces it. */
  const replaceLost = async (): Promise<void> => {
    microphone = undefined
    try {
      await open()
    } catch (cause) {
      if (!closed)
        onLost(
          new ParlanceError('microphone_lost', 'The microphone was disconnected. Connect one, or type.', { cause }),
        )
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
      if (microphone !== undefined) microphone.track.enabled = isSent()
    },
    close() {
      closed = true
      microphone?.close()
      microphone = undefined
    },
  }
}
