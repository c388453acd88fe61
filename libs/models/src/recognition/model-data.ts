import { ModelFileError } from '../model-file.js'
import type { OnnxMetadata } from '../onnx/onnx-metadata.js'
import type { RecognitionModel } from './recognition-model.js'

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

/** Throws `ModelFileError` that names all of the keys that the metadata lacks. */
export const requireMetadata = (model: string, metadata: OnnxMetadata, keys: readonly string[]): void => {
  const missing = keys.filter((key) => metadata[key] === undefined)
  if (missing.length > 0) {
    throw new ModelFileError(model, `was not made for sherpa-onnx: its metadata lacks ${missing.join(', ')}`)
  }
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
