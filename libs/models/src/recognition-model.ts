/** Where a recogniser's files are: absolute paths. How it was built decides what files it needs. */
export type RecognitionFiles =
  | {
      readonly kind: 'streaming-transducer'
      readonly encoder: string
      readonly decoder: string
      readonly joiner: string
    }
  | { readonly kind: 'sense-voice'; readonly model: string }

/** A recogniser's folder in which nothing is missing that can be seen without loading the model. */
export interface RecognitionModel {
  /** The folder's own name. */
  readonly name: string
  readonly displayName: string
  readonly files: RecognitionFiles
  readonly tokens: string
  /** How much it hears at once, in ms; 0 where that is a whole utterance. */
  readonly chunkMs: number
  /** It writes no small letters. */
  readonly writesCapitals: boolean
  /** BCP 47 tags. */
  readonly languages: readonly string[]
  readonly license: string
  /** Of all its files. */
  readonly sizeBytes: number
}
