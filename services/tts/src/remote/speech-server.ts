import type { SpeechMarks } from '../engine/engine.js'
import type { RemoteVoice } from './remote-voice.js'

/** An utterance in the words of a server: its own names for voice and model. */
export interface RemoteUtterance {
  /** Well-formed, without control characters or tags, and with something to say in it. */
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
  /** Times in ms of the utterance. They may come before or after their audio. */
  | ({ readonly kind: 'marks' } & Partial<Pick<SpeechMarks, 'words' | 'phonemes'>>)

/** What is different from one kind of server to the next. All of it rejects with a `RemoteFailure`. */
export interface SpeechServer {
  /** A cheap question; answers with the voices, asked for or configured. Leaves a connection open that can be used. */
  probe(signal: AbortSignal): Promise<readonly RemoteVoice[]>
  /**
   * Calls `hear` with each part as it comes and resolves at the proper end; an end that is not the proper one rejects.
   * When the signal is aborted the server is told at once, by closing or cancelling.
   */
  speak(utterance: RemoteUtterance, signal: AbortSignal, hear: (part: SpeechPart) => void): Promise<void>
  close(): Promise<void>
}
