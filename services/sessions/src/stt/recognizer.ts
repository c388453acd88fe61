/**
 * Speech to text. Adapters: `deepgram-recognizer.ts`, `openai-recognizer.ts`, `pocketsphinx-recognizer.ts`,
 * `sherpa-onnx-recognizers.ts`. One recognizer serves many conversations.
 */
export interface Recognizer {
  readonly name: string
  /** BCP 47 tags of the languages that it recognizes; undefined when it takes any. */
  readonly languages: readonly string[] | undefined
  /** Compared with other recognizers of the same provider; the higher, the better. Default 0. */
  readonly quality?: number | undefined
  /** Whether it is slower than speech on this machine. Such a recognizer is never chosen. */
  readonly isSlow?: boolean | undefined
  /** Whether it reports by `onEndOfTurn` that the user has finished. The end of a turn is then its decision. */
  readonly endsTurns?: boolean | undefined
  /**
   * Called when a conversation starts: what takes long to start is started now, and stays until the returned function is
   * called at the end of the conversation, so that no utterance waits for it. Without it there is nothing to start.
   */
  keepWarm?(): () => void
  /** Begins one utterance. Never throws: `finish` reports failures. */
  open(options: RecognitionOptions): Recognition
  close(): Promise<void>
}

export interface RecognitionOptions {
  /** A BCP 47 tag. */
  readonly language: string
  /**
   * An object that identifies the speaker, such as the conversation. What a recognizer learns about a voice and its microphone
   * from one utterance improves the next of the same speaker.
   */
  readonly speaker?: object | undefined
  /**
   * The audio is a recording, not what a user of a conversation is saying. It waits for recognizers until no conversation does, and
   * may take longer.
   */
  readonly isRecording?: boolean | undefined
  /** Receives the whole text so far whenever it changes. Not called by recognizers that know the text only at the end. */
  onPartial(text: string): void
  /** Called when the user has finished speaking, after the last `onPartial`, by recognizers that judge that. */
  onEndOfTurn?(): void
}

export interface Recognition {
  /** The next part of the utterance: mono PCM at 16 kHz, of any length. */
  push(samples: Int16Array): void
  /**
   * Resolves to the text of the audio so far; to undefined where the recognizer cannot tell. The utterance goes on, and may be
   * previewed again. Never rejects. Not called after `finish`.
   */
  preview?(): Promise<string | undefined>
  /**
   * Ends the utterance, and resolves to its text, which is empty when no words were recognized. Rejects with `ServiceError`:
   * `upstream_error`, `upstream_timeout`, `capacity_exhausted`, `draining`. Called once, and not after `cancel`.
   */
  finish(options?: FinishOptions): Promise<Transcription>
  /** Drops the utterance. Nothing is called afterwards; a `finish` in progress rejects. */
  cancel(): void
}

export interface FinishOptions {
  /** The audio since the last `preview` is silence, so that the text of the preview, if it had one, may be the result. */
  readonly silentSincePreview?: boolean
}

/** A word and its time in the audio of its utterance. */
export interface RecognizedWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export interface Transcription {
  readonly text: string
  /** Of the text, in its order. Undefined where the recognizer does not report times. */
  readonly words?: readonly RecognizedWord[] | undefined
  /** The length of the audio that was recognized, for which usage is counted. */
  readonly audioMs: number
}

/** The language of a BCP 47 tag, two or three letters in lower case; undefined when the tag names no language. */
export const languageOf = (tag: string): string | undefined => /^[a-z]{2,3}(?=-|$)/.exec(tag.toLowerCase())?.[0]
