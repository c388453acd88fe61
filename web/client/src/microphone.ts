import type { CaptureOptions } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'

/** A microphone that is on. */
export interface Microphone {
  readonly track: MediaStreamTrack
  /** Turns the microphone off. */
  close(): void
}

/** How the microphone is captured, or the page's own track. */
export type MicrophoneSource = CaptureOptions | MediaStreamTrack

export interface MicrophoneOptions {
  readonly source: MicrophoneSource
  /** The microphone was unplugged, or its permission revoked. It is off. */
  readonly onLost: () => void
}

export type OpenMicrophone = (options: MicrophoneOptions) => Promise<Microphone>

export const isTrack = (source: object): source is MediaStreamTrack => 'clone' in source

/** Asks the user for permission if needed. Rejects with a `ParlanceError` `microphone_…`, and no microphone is on then. */
export const openMicrophone: OpenMicrophone = async ({ source, onLost }) => {
  const track = isTrack(source) ? source.clone() : await capture(source)
  const close = (): void => {
    track.removeEventListener('ended', lost)
    track.stop()
  }
  const lost = (): void => {
    close()
    onLost()
  }
  track.addEventListener('ended', lost)
  return { track, close }
}

const capture = async ({ deviceId, ...processing }: CaptureOptions): Promise<MediaStreamTrack> => {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (devices === undefined) {
    throw new ParlanceError('microphone_unavailable', 'Browsers allow the microphone only on pages over https.')
  }
  const stream = await devices
    .getUserMedia({
      audio: {
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        ...processing,
        ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }),
      },
    })
    .catch((cause: unknown) => {
      throw refusal(cause)
    })
  const [track] = stream.getAudioTracks()
  if (track === undefined) throw refusal(undefined)
  return track
}

const refusal = (cause: unknown): ParlanceError => {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return new ParlanceError('microphone_denied', 'The microphone is not allowed. Allow it, or type instead.', {
      cause,
    })
  }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return new ParlanceError('microphone_not_found', 'There is no such microphone.', { cause })
  }
  return new ParlanceError('microphone_unavailable', 'The microphone cannot be used now.', { retryable: true, cause })
}

/** The microphone of one session. It may be replaced by another one. */
export interface SessionMicrophone {
  track(): MediaStreamTrack | undefined
  /** Opens the first microphone. Rejects with a `ParlanceError`. */
  open(): Promise<void>
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
  /** Of the first microphone. */
  readonly source: MicrophoneSource
  /** Whether the audio of the microphone is sent. */
  readonly isSent: () => boolean
  /** The microphone was unplugged, and no other replaced it. */
  readonly onLost: (error: ParlanceError) => void
}

export const createSessionMicrophone = (options: SessionMicrophoneOptions): SessionMicrophone => {
  const { openMicrophone, isSent, onLost } = options
  let microphone: Microphone | undefined
  let send: ((track: MediaStreamTrack) => Promise<void>) | undefined
  let closed = false

  const open = async (source: MicrophoneSource): Promise<void> => {
    const opened = await openMicrophone({ source, onLost: () => void replaceLost(source) })
    if (closed) {
      opened.close()
      throw new ParlanceError('aborted', 'The session ended before the microphone was on.')
    }
    microphone?.close()
    microphone = opened
    opened.track.enabled = isSent()
    await send?.(opened.track)
  }
  const captureOf = (source: MicrophoneSource): CaptureOptions => {
    const { deviceId: _, ...processing } = isTrack(source) ? {} : source
    return processing
  }

  /** The user's default microphone replaces it. A page that gave a track of its own may not want the user's microphone. */
  const replaceLost = async (source: MicrophoneSource): Promise<void> => {
    microphone = undefined
    try {
      if (isTrack(source)) throw new Error('The track of the page has ended.')
      await open(captureOf(source))
    } catch (cause) {
      if (!closed)
        onLost(
          new ParlanceError('microphone_lost', 'The microphone was disconnected. Connect one, or type.', { cause }),
        )
    }
  }

  return {
    track: () => microphone?.track,
    open: () => open(options.source),
    sendTo(given) {
      send = given
    },
    use: (deviceId) => open({ ...captureOf(options.source), deviceId }),
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
