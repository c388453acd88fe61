import { ModelFileError } from '../model-file.js'
import { type OnnxMetadata, requireMetadata } from '../onnx/onnx-metadata.js'

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

/**
 * The accuracy of models, from 0 to 100, when their folders do not state it. It decides which of several recognizers is
 * used for a language. The order is that of the publishers' word error rates on everyday speech; the differences have no
 * meaning.
 */

const qualityOfKind: Readonly<Record<RecognitionKind, number>> = {
  'nemo-transducer': 80,
  whisper: 60,
  'sense-voice': 60,
  paraformer: 60,
  moonshine: 55,
  'streaming-transducer': 50,
}

/** By the beginning of the size in `whisper-large-v3`. The first match counts. */
const qualityOfWhisper: readonly (readonly [size: string, quality: number])[] = [
  ['tiny', 40],
  ['base', 50],
  ['small', 65],
  ['distil-small', 65],
  ['medium', 70],
  ['distil-medium', 70],
  ['large', 75],
  ['distil-large', 75],
  ['turbo', 75],
]

/** The quality of a kind; of Whisper by the size in the metadata of its encoder. */
export const qualityOf = (kind: RecognitionKind, metadata: OnnxMetadata): number => {
  const size = kind === 'whisper' ? metadata.model_type?.replace(/^whisper-/, '') : undefined
  return qualityOfWhisper.find(([start]) => size?.startsWith(start))?.[1] ?? qualityOfKind[kind]
}

/** The symbols of a model with their numbers. */
export type TokenTable = ReadonlyMap<string, number>

/** Facts about a model from its files. */
export interface ModelData extends Pick<RecognitionModel, 'files' | 'quality'> {
  /** Default 0. */
  readonly chunkMs?: number
  /** BCP 47 tags; empty when the files do not state them. */
  readonly languages: readonly string[]
  /** Whether `tokens.txt` has its symbols in Base64. Default false. */
  readonly hasEncodedTokens?: boolean
  /** Returns what is wrong with the tokens; undefined when they fit the model. */
  checkTokens(tokens: TokenTable): string | undefined
}

/** Returns a number of the metadata. Throws `ModelFileError` unless it is a positive integer. */
export const wholeNumber = (model: string, metadata: OnnxMetadata, key: string): number => {
  requireMetadata(model, metadata, [key])
  const value = metadata[key]!
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new ModelFileError(model, `is invalid: its ${key} is ${value}`)
  return Number(value)
}

/** Returns a check that each of the `count` numbers of a model has a symbol. */
export const tokensUpTo = (count: number) => (tokens: TokenTable) => {
  const highest = Math.max(0, ...tokens.values())
  if (highest + 1 >= count) return undefined
  return `is of another model: its highest number is ${highest}, but that of the model is ${count - 1}`
}
