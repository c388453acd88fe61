import { ParlanceError } from './parlance-error.js'

/** A microphone that is on. */
export interface Microphone {
  readonly track: MediaStreamTrack
  /** Turns the microphone off. */
  close(): void
}

export interface MicrophoneOptions {
  /** Default: the user's default microphone. */
  readonly deviceId?: string | undefined
  /** The microphone was unplugged, or its permission revoked. It is off. */
  readonly onLost: () => void
}

export type OpenMicrophone = (options: MicrophoneOptions) => Promise<Microphone>

/** Asks the user for permission if needed. Rejects with a `ParlanceError` `microphone_…`, and no microphone is on then. */
export const openMicrophone: OpenMicrophone = async ({ deviceId, onLost }) => {
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
        ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }),
      },
    })
    .catch((cause: unknown) => {
      throw refusal(cause)
    })
  const [track] = stream.getAudioTracks()
  if (track === undefined) throw refusal(undefined)

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
