import { type AudioTap, createAudioTap } from '../media/audio-tap.js'
import { withConnectDeadline } from '../media/connect-deadline.js'
import type { Playback } from '../media/playback/playback.js'
import type { Transport } from '../media/transport.js'
import type { Recognizer } from '../stt/recognizer.js'
import type { TurnDetector } from '../turn-detector/turn-detector.js'
import type { VoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'
import type { ConversationParts } from './conversation-parts.js'
import type { Undo } from './undo.js'

export interface CallMediaOptions {
  readonly parts: Pick<
    ConversationParts,
    'createPlayback' | 'openVoiceDetector' | 'findRecognizer' | 'findTurnDetector'
  >
  readonly transport: Transport
  /** Called when the client has not connected in time. */
  onNeverConnected(): void
  /** The language of the user's speech, a BCP 47 tag; undefined where the user has no microphone. */
  readonly spokenLanguage: string | undefined
  /** Receives what a listener of the audio throws. */
  onTapError(error: unknown): void
  readonly undo: Undo
}

/** What carries, detects and recognizes the audio of one conversation. */
export interface CallMedia {
  readonly transport: Transport
  readonly audioTap: AudioTap
  readonly playback: Playback
  readonly recognizer: Recognizer | undefined
  readonly turnDetector: TurnDetector | undefined
  readonly voiceDetector: VoiceDetector | undefined
  /** To be called when the conversation has ended. */
  releaseRecognizer(): void
}

export const openCallMedia = (options: CallMediaOptions): CallMedia => {
  const { parts, transport, spokenLanguage, undo } = options
  const hasMicrophone = spokenLanguage !== undefined
  const recognizer = hasMicrophone ? parts.findRecognizer(spokenLanguage) : undefined
  // Kept warm from now on, so that a recognizer is ready before the first utterance ends.
  const releaseRecognizer = recognizer?.keepWarm?.() ?? (() => {})
  undo.add(releaseRecognizer)
  const turnDetector = hasMicrophone ? parts.findTurnDetector(spokenLanguage) : undefined
  const voiceDetector = hasMicrophone ? parts.openVoiceDetector() : undefined
  undo.add(() => voiceDetector?.close())
  const connecting = withConnectDeadline(transport, options.onNeverConnected)
  const audioTap = createAudioTap({ onError: options.onTapError })
  const tapped: Transport = {
    ...connecting,
    playFrame(frame) {
      connecting.playFrame(frame)
      audioTap.played(frame)
    },
  }
  const playback = parts.createPlayback(tapped)
  undo.add(() => playback.close())
  return { transport: tapped, audioTap, playback, recognizer, turnDetector, voiceDetector, releaseRecognizer }
}
