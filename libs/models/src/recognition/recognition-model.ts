/** The absolute paths of a transducer's parts. */
export interface TransducerFiles {
  readonly encoder: string
  readonly decoder: string
  readonly joiner: string
}

/** The absolute paths of Moonshine's parts: of its first form four, of its second two. */
export type MoonshineFiles =
  | {
      readonly preprocessor: string
      readonly encoder: string
      readonly uncachedDecoder: string
      readonly cachedDecoder: string
    }
  | { readonly encoder: string; readonly mergedDecoder: string }

/** The absolute paths of a model's files, by its kind. */
export type RecognitionFiles =
  | ({ readonly kind: 'streaming-transducer' } & TransducerFiles)
  | ({ readonly kind: 'nemo-transducer' } & TransducerFiles)
  | { readonly kind: 'sense-voice'; readonly model: string }
  | { readonly kind: 'paraformer'; readonly model: string }
  | { readonly kind: 'whisper'; readonly encoder: string; readonly decoder: string }
  | { readonly kind: 'moonshine'; readonly parts: MoonshineFiles }

/** The architecture of a model, which determines its files. */
export type RecognitionKind = RecognitionFiles['kind']

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
  /** Its accuracy compared with other models of its languages, from 0 to 100. */
  readonly quality: number
  readonly license: string
  /** The size of all files. */
  readonly sizeBytes: number
}
