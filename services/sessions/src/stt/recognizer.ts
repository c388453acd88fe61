/**
 * Speech to text. Adapters: `deepgram-recognizer.ts`, `openai-recognizer.ts`, `pocketsphinx-recognizer.ts`,
 * `sherpa-onnx-recognizers.ts`. One serves many conversations.
 */
export interface Recognizer {
  readonly name: string
  /** BCP 47 tags of the languages it understands, by their first part; undefined when it takes any. */
  readonly languages: readonly string[] | undefined
  /** A conversation is about to begin: what takes time to start may start, and what is idle stays. */
  warmUp?(): void
  /** Begins one utterance. Never throws: what goes wrong is told by `finish`. */
  open(options: RecognitionOptions): Recognition
  close(): Promise<void>
}

export interface RecognitionOptions {
  /** A BCP 47 tag. */
  readonly language: string
  /**
   * Any object that stands for the one who speaks, such as the conversation: what is learnt of a voice and its microphone from
   * one utterance helps with the next.
   */
  readonly speaker?: object | undefined
  /** What is understood so far, whenever it changes. Recognizers that only know at the end never call it. */
  onPartial(text: string): void
}

export interface Recognition {
  /** The next part of the utterance: mono PCM at 16 kHz, of any length. */
  push(samples: Int16Array): void
  /**
   * The utterance is over: resolves to what was said, empty where nothing was. Rejects with `ServiceError`: `upstream_error`,
   * `upstream_timeout`, `capacity_exhausted`. Called once, and not after `cancel`.
   */
  finish(): Promise<Transcription>
  /** Nobody wants to know any more. Nothing is called afterwards; a `finish` under way rejects. */
  cancel(): void
}

export interface Transcription {
  readonly text: string
  /** Audio that was listened to, which is what is counted. */
  readonly audioMs: number
}
