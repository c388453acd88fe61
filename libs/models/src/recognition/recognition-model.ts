/** The absolute paths of a model's files, by its kind. */
export type RecognitionFiles =
  | {
      readonly kind: 'streaming-transducer'
      readonly encoder: string
      readonly decoder: string
      readonly joiner: string
    }
  | { readonly kind: 'sense-voice'; readonly model: string }

/** A valid folder of a model for recognition, as far as it can be checked without loading the model. */
export interface RecognitionModel {
  /** The name of the folder. */
  readonly name: string
  readonly displayName: string
  readonly files: RecognitionFiles
  readonly tokens: string
  /** The audio that it decodes at once, in ms; 0 for a whole utterance. */
  readonly chunkMs: number
  /** Whether it writes only capital letters. */
  readonly writesCapitals: boolean
  /** BCP 47 tags. */
  readonly languages: readonly string[]
  readonly license: string
  /** The size of all files. */
  readonly sizeBytes: number
}
