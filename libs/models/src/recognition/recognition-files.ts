/** Finds the files of a model for recognition by the names that publishers use. */
import { join } from 'node:path'
import { ModelFileError } from '../model-file.js'
import { type FolderContent, fullModels } from '../model-files.js'
import { readOnnxMetadata } from '../onnx/onnx-metadata.js'

interface PartNames {
  readonly pattern: RegExp
  /** The name in error messages. */
  readonly usual: string
}

const partNames = {
  encoder: { pattern: /(^|[-_.])encoder[-_.].*onnx$/, usual: 'encoder.onnx' },
  decoder: { pattern: /(^|[-_.])decoder[-_.].*onnx$/, usual: 'decoder.onnx' },
  joiner: { pattern: /(^|[-_.])joiner[-_.].*onnx$/, usual: 'joiner.onnx' },
  preprocessor: { pattern: /^preprocess[-_.].*onnx$/, usual: 'preprocess.onnx' },
  rawEncoder: { pattern: /^encode[-_.].*onnx$/, usual: 'encode.onnx' },
  uncachedDecoder: { pattern: /^uncached_decode[-_.].*onnx$/, usual: 'uncached_decode.onnx' },
  cachedDecoder: { pattern: /^cached_decode[-_.].*onnx$/, usual: 'cached_decode.onnx' },
  modelEncoder: { pattern: /^encoder_model[-_.].*(onnx|ort)$/, usual: 'encoder_model.ort' },
  mergedDecoder: { pattern: /^decoder_model_merged[-_.].*(onnx|ort)$/, usual: 'decoder_model_merged.ort' },
} as const satisfies Readonly<Record<string, PartNames>>

/** A file of a model that has several. */
export type ModelPart = keyof typeof partNames

const partsOf = ({ names }: FolderContent, part: ModelPart): readonly string[] =>
  fullModels(names.filter((name) => partNames[part].pattern.test(name)))

const hasAny = (content: FolderContent, ...parts: readonly ModelPart[]) =>
  parts.some((part) => partsOf(content, part).length > 0)

/** Returns the path of a part. Throws `ModelFileError` when there is none, or more than one. */
export const findPart = (content: FolderContent, part: ModelPart): string => {
  const [found, ...others] = partsOf(content, part)
  if (found === undefined) throw new ModelFileError(join(content.path, partNames[part].usual), 'is missing')
  if (others.length > 0) {
    throw new ModelFileError(found, `is one of several (${[found, ...others].join(', ')}): leave one in the folder`)
  }
  return join(content.path, found)
}

/** The tokens of Whisper's models have the model's name: `tiny.en-tokens.txt`. */
const tokensName = /(^|-)tokens\.txt$/

/** The file with the symbols of an original Moonshine model. */
export const tokenizerName = 'tokenizer.bin'

/** Returns the path of the tokens, whether or not the file is there. */
export const findTokens = ({ path, names }: FolderContent): string =>
  join(path, names.find((name) => tokensName.test(name)) ?? 'tokens.txt')

/** Whether the names are those of a folder that sherpa-onnx can use: a model and its tokens. */
export const isReadyFolder = (names: readonly string[]): boolean =>
  names.some((name) => tokensName.test(name)) && names.some((name) => /\.(onnx|ort)$/.test(name))

/** How the files of a model are divided, by their names. */
export type RecognitionLayout = 'moonshine' | 'moonshine-merged' | 'transducer' | 'encoder-decoder' | 'single'

/** The layout of the folder. A model in one file is `single`. */
export const layoutOf = (content: FolderContent): RecognitionLayout => {
  const isMerged = hasAny(content, 'mergedDecoder') || content.names.includes('encoder_model.ort')
  if (isMerged) return 'moonshine-merged'
  if (hasAny(content, 'preprocessor', 'uncachedDecoder', 'cachedDecoder')) return 'moonshine'
  if (hasAny(content, 'joiner')) return 'transducer'
  return hasAny(content, 'encoder', 'decoder') ? 'encoder-decoder' : 'single'
}

/** Resolves with whether the folder's model is for recognition. Unreadable files are ignored here. */
export const isRecognizerFolder = async (content: FolderContent): Promise<boolean> => {
  if (layoutOf(content) !== 'single') return true
  for (const name of content.names.filter((name) => name.endsWith('.onnx'))) {
    const metadata = await readOnnxMetadata(join(content.path, name)).catch(() => undefined)
    if (metadata?.lfr_window_size !== undefined) return true
  }
  return false
}
