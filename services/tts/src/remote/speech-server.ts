import type { SpeechMarks } from '../engine/engine.js'
import type { RemoteVoice } from './remote-voice.js'

/** An utterance with the server's own names of the voice and the model. */
export interface RemoteUtterance {
  /** Well-formed, without control characters or tags, and with at least one word. */
  readonly text: string
  readonly voice: RemoteVoice
  readonly model: string
  /** A BCP 47 tag, where the request names one. */
  readonly language: string | undefined
  /** 0.5 to 2. */
  readonly speed: number
}

export type SpeechPart =
  | { readonly kind: 'audio'; readonly pcm: Int16Array }
  /** Times in ms from the start of the utterance. They may arrive before or after their audio. */
  | ({ readonly kind: 'marks' } & Partial<Pick<SpeechMarks, 'words' | 'phonemes'>>)

/** The port of the kinds of servers. Every method rejects with a `RemoteFailure`. */
export interface SpeechServer {
  /** Tests the server by a cheap request and resolves with its voices, listed or configured. Leaves a usable connection open. */
  probe(signal: AbortSignal): Promise<readonly RemoteVoice[]>
  /**
   * Calls `onPart` with each part as it arrives and resolves at the end of the speech; rejects when it is truncated. An abort
   * closes or cancels the request at once.
   */
  speak(utterance: RemoteUtterance, signal: AbortSignal, onPart: (part: SpeechPart) => void): Promise<void>
  close(): Promise<void>
}
