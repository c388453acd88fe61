import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FolderSettings } from '../folder-settings.js'
import { checkModelFile, ModelFileError, type Problems } from '../model-file.js'
import { type FolderContent, findModelFile, fullModels } from '../model-files.js'
import { type OnnxMetadata, readOnnxMetadata, requireMetadata } from '../onnx/onnx-metadata.js'

/** The absolute paths of a transducer's parts. */
interface TransducerFiles {
  readonly encoder: string
  readonly decoder: string
  readonly joiner: string
}

/** The absolute paths of Moonshine's parts: of its first form four, of its second two. */
type MoonshineFiles =
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
type RecognitionKind = RecognitionFiles['kind']

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
const qualityOf = (kind: RecognitionKind, metadata: OnnxMetadata): number => {
  const size = kind === 'whisper' ? metadata.model_type?.replace(/^whisper-/, '') : undefined
  return qualityOfWhisper.find(([start]) => size?.startsWith(start))?.[1] ?? qualityOfKind[kind]
}

/** The symbols of a model with their numbers. */
type TokenTable = ReadonlyMap<string, number>

/** Facts about a model from its files. */
interface ModelData extends Pick<RecognitionModel, 'files' | 'quality'> {
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
const wholeNumber = (model: string, metadata: OnnxMetadata, key: string): number => {
  requireMetadata(model, metadata, [key])
  const value = metadata[key]!
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new ModelFileError(model, `is invalid: its ${key} is ${value}`)
  return Number(value)
}

/** Returns a check that each of the `count` numbers of a model has a symbol. */
const tokensUpTo = (count: number) => (tokens: TokenTable) => {
  const highest = Math.max(0, ...tokens.values())
  if (highest + 1 >= count) return undefined
  return `is of another model: its highest number is ${highest}, but that of the model is ${count - 1}`
}

/** Finds the files of a model for recognition by the names that publishers use. */

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
type ModelPart = keyof typeof partNames

const partsOf = ({ names }: FolderContent, part: ModelPart): readonly string[] =>
  fullModels(names.filter((name) => partNames[part].pattern.test(name)))

const hasAny = (content: FolderContent, ...parts: readonly ModelPart[]) =>
  parts.some((part) => partsOf(content, part).length > 0)

/** Returns the path of a part. Throws `ModelFileError` when there is none, or more than one. */
const findPart = (content: FolderContent, part: ModelPart): string => {
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
type RecognitionLayout = 'moonshine' | 'moonshine-merged' | 'transducer' | 'encoder-decoder' | 'single'

/** The layout of the folder. A model in one file is `single`. */
const layoutOf = (content: FolderContent): RecognitionLayout => {
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

/** The identifier of ONNX Runtime's own format, a FlatBuffer, which follows the four bytes of an offset. */
const ortIdentifier = { start: 4, text: 'ORTM' }

/** Rejects with `ModelFileError` unless the file is an ONNX model, or one in ONNX Runtime's format where it is named so. */
const checkModel = async (path: string): Promise<void> => {
  if (!path.endsWith('.ort')) return void (await readOnnxMetadata(path))
  await checkModelFile(path)
  await using file = await open(path)
  const { start, text } = ortIdentifier
  const { buffer, bytesRead } = await file.read(Buffer.alloc(text.length), 0, text.length, start)
  if (buffer.toString('latin1', 0, bytesRead) !== text) throw new ModelFileError(path, 'is not a model of ONNX Runtime')
}

/** Reads a model of Moonshine, which has four parts or, where its decoders are merged, two. */
const readMoonshine = async (
  content: FolderContent,
  isMerged: boolean,
  { attempt }: Problems,
): Promise<ModelData | undefined> => {
  const read = async (part: ModelPart) => {
    const path = await attempt(() => findPart(content, part))
    // The value is undefined where the check failed.
    return path && (await attempt(() => checkModel(path).then(() => path)))
  }
  const readMerged = async (): Promise<MoonshineFiles | undefined> => {
    const encoder = await read('modelEncoder')
    const mergedDecoder = await read('mergedDecoder')
    return encoder && mergedDecoder ? { encoder, mergedDecoder } : undefined
  }
  const readDivided = async (): Promise<MoonshineFiles | undefined> => {
    const preprocessor = await read('preprocessor')
    const encoder = await read('rawEncoder')
    const uncachedDecoder = await read('uncachedDecoder')
    const cachedDecoder = await read('cachedDecoder')
    return preprocessor && encoder && uncachedDecoder && cachedDecoder
      ? { preprocessor, encoder, uncachedDecoder, cachedDecoder }
      : undefined
  }
  const parts = await (isMerged ? readMerged() : readDivided())
  if (parts === undefined) return undefined
  return {
    files: { kind: 'moonshine', parts },
    languages: [],
    quality: qualityOf('moonshine', {}),
    hasEncodedTokens: isMerged,
    // The model does not state how many tokens it has.
    checkTokens: () => undefined,
  }
}

/** The metadata without which the library ends the process. */
const neededMetadata = [
  ...['n_mels', 'n_text_layer', 'n_text_ctx', 'n_text_state', 'n_vocab', 'sot', 'eot', 'blank_id', 'translate'],
  ...['transcribe', 'is_multilingual', 'no_timestamps', 'no_speech', 'sot_sequence'],
]
const multilingualMetadata = ['all_language_tokens', 'all_language_codes']

const languagesOf = (encoder: string, metadata: OnnxMetadata): string[] => {
  const isMultilingual = metadata.is_multilingual !== undefined && metadata.is_multilingual !== '0'
  requireMetadata(encoder, metadata, [...neededMetadata, ...(isMultilingual ? multilingualMetadata : [])])
  if (!isMultilingual) return ['en']
  const codes = metadata.all_language_codes!.split(',')
  if (codes.length === metadata.all_language_tokens!.split(',').length) return codes
  throw new ModelFileError(encoder, 'is invalid: it lacks a token for some of its languages')
}

/** Whether the metadata is that of an encoder of Whisper. */
const isWhisper = ({ model_type }: OnnxMetadata): boolean => model_type?.startsWith('whisper') === true

/** Reads a model of Whisper. Its tokens are those of OpenAI, without the special ones. */
const readWhisper = async (content: FolderContent, { attempt }: Problems): Promise<ModelData | undefined> => {
  const encoder = await attempt(() => findPart(content, 'encoder'))
  const metadata = encoder && (await attempt(() => readOnnxMetadata(encoder)))
  const languages = metadata && (await attempt(() => languagesOf(encoder, metadata)))
  const vocabSize = languages && (await attempt(() => wholeNumber(encoder, metadata, 'n_vocab')))
  const decoder = await attempt(() => findPart(content, 'decoder'))
  if (decoder !== undefined) await attempt(() => readOnnxMetadata(decoder))
  if (!encoder || !metadata || !decoder || !languages || !vocabSize) return undefined
  return {
    files: { kind: 'whisper', encoder, decoder },
    languages,
    quality: qualityOf('whisper', metadata),
    hasEncodedTokens: true,
    checkTokens: (tokens) =>
      tokens.size <= vocabSize
        ? undefined
        : `is of another model: it has ${tokens.size} symbols, but the model has ${vocabSize}`,
  }
}

/** The types with streaming encoders. */
const streamingTypes = ['conformer', 'ebranchformer', 'lstm', 'zipformer', 'zipformer2']
/** The types of NeMo's transducers, such as Parakeet. */
const nemoTypes = ['EncDecRNNTBPEModel', 'EncDecHybridRNNTCTCBPEModel']
const frameMs = 10

/** NeMo's models do not state their languages. Those of Parakeet are known by its version. */
const parakeetLanguages: readonly (readonly [name: RegExp, languages: readonly string[]])[] = [
  [/parakeet.*[-_]v2\b/, ['en']],
  [/parakeet.*[-_]v3\b/, 'en bg hr cs da nl et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' ')],
]

interface TransducerMetadata {
  readonly encoder: OnnxMetadata
  readonly decoder: OnnxMetadata
}

const readStreaming = (files: TransducerFiles, metadata: TransducerMetadata): ModelData => {
  if (metadata.encoder.decode_chunk_len === undefined) {
    throw new ModelFileError(
      files.encoder,
      "recognizes whole utterances: of icefall's transducers only streaming ones can be used",
    )
  }
  return {
    files: { kind: 'streaming-transducer', ...files },
    chunkMs: wholeNumber(files.encoder, metadata.encoder, 'T') * frameMs,
    languages: [],
    quality: qualityOf('streaming-transducer', metadata.encoder),
    checkTokens: tokensUpTo(wholeNumber(files.decoder, metadata.decoder, 'vocab_size')),
  }
}

/** The library ends the process unless the blank is the last token, after those that the model counts. */
const checkNemoTokens = (vocabSize: number) => (tokens: TokenTable) => {
  const wrongCount =
    tokens.size === vocabSize + 1 ? undefined : `it has ${tokens.size} symbols, but the model has ${vocabSize + 1}`
  const blank = tokens.get('<blk>')
  const wrongBlank =
    blank === vocabSize ? undefined : `the number of <blk> is ${blank ?? 'missing'} and must be ${vocabSize}`
  const wrong = wrongCount ?? wrongBlank
  return wrong === undefined ? undefined : `is of another model: ${wrong}`
}

const readNemo = (name: string, files: TransducerFiles, { encoder: metadata }: TransducerMetadata): ModelData => {
  const { encoder } = files
  requireMetadata(encoder, metadata, [
    'vocab_size',
    'subsampling_factor',
    'normalize_type',
    'pred_rnn_layers',
    'pred_hidden',
  ])
  for (const key of ['subsampling_factor', 'pred_rnn_layers', 'pred_hidden']) wholeNumber(encoder, metadata, key)
  return {
    files: { kind: 'nemo-transducer', ...files },
    languages: parakeetLanguages.find(([pattern]) => pattern.test(name))?.[1] ?? [],
    quality: qualityOf('nemo-transducer', metadata),
    checkTokens: checkNemoTokens(wholeNumber(encoder, metadata, 'vocab_size')),
  }
}

/** Reads a transducer of the folder `name`: a streaming one, or one of NeMo. */
const readTransducer = async (
  name: string,
  content: FolderContent,
  { attempt }: Problems,
): Promise<ModelData | undefined> => {
  const read = async (part: ModelPart) => {
    const path = await attempt(() => findPart(content, part))
    const metadata = path && (await attempt(() => readOnnxMetadata(path)))
    return path && metadata && { path, metadata }
  }
  const encoder = await read('encoder')
  const decoder = await read('decoder')
  const joiner = await read('joiner')
  if (!encoder || !decoder || !joiner) return undefined
  const files = { encoder: encoder.path, decoder: decoder.path, joiner: joiner.path }
  const metadata = { encoder: encoder.metadata, decoder: decoder.metadata }
  return attempt(() => {
    const type = encoder.metadata.model_type
    if (type !== undefined && nemoTypes.includes(type)) return readNemo(name, files, metadata)
    if (type === undefined || streamingTypes.includes(type)) return readStreaming(files, metadata)
    const known = [...streamingTypes, ...nemoTypes].join(', ')
    throw new ModelFileError(encoder.path, `is of type "${type}": ${known} can be used`)
  })
}

const senseVoiceLanguages = ['en', 'ja', 'ko', 'yue', 'zh']

/** The end of a sentence, without which the library ends the process. */
const paraformerEnd = '</s>'

const checkParaformerTokens = (count: number) => (tokens: TokenTable) =>
  tokensUpTo(count)(tokens) ??
  (tokens.has(paraformerEnd) ? undefined : `is of another model: ${paraformerEnd} is missing`)

/** Reads a model in one file: SenseVoice or Paraformer. */
const readSingleModel = async (
  content: FolderContent,
  settings: FolderSettings,
  { attempt }: Problems,
): Promise<ModelData | undefined> => {
  const model = await attempt(() => findModelFile(content, settings))
  const metadata = model && (await attempt(() => readOnnxMetadata(model)))
  if (!model || !metadata) return undefined
  return attempt(() => {
    const read = () => wholeNumber(model, metadata, 'vocab_size')
    if (metadata.lang_auto !== undefined) {
      return {
        files: { kind: 'sense-voice', model },
        languages: senseVoiceLanguages.filter((language) => metadata[`lang_${language}`] !== undefined),
        quality: qualityOf('sense-voice', metadata),
        checkTokens: tokensUpTo(read()),
      }
    }
    if (metadata.model_type !== 'paraformer') {
      throw new ModelFileError(model, 'is neither SenseVoice nor Paraformer, which can be used')
    }
    requireMetadata(model, metadata, ['vocab_size', 'lfr_window_size', 'lfr_window_shift', 'neg_mean', 'inv_stddev'])
    return {
      files: { kind: 'paraformer', model },
      languages: [],
      quality: qualityOf('paraformer', metadata),
      checkTokens: checkParaformerTokens(read()),
    }
  })
}

/** Whether a model with an encoder and a decoder is Whisper. If the encoder is unreadable, the name of the tokens decides. */
const looksLikeWhisper = async (content: FolderContent): Promise<boolean> => {
  try {
    return isWhisper(await readOnnxMetadata(findPart(content, 'encoder')))
  } catch {
    return basename(findTokens(content)) !== 'tokens.txt'
  }
}

/** Reads the model of the folder `name`, of whichever kind it is. */
export const readModel = async (
  name: string,
  content: FolderContent,
  settings: FolderSettings,
  found: Problems,
): Promise<ModelData | undefined> => {
  const layout = layoutOf(content)
  switch (layout) {
    case 'moonshine':
    case 'moonshine-merged':
      return readMoonshine(content, layout === 'moonshine-merged', found)
    case 'encoder-decoder':
      return (await looksLikeWhisper(content)) ? readWhisper(content, found) : readTransducer(name, content, found)
    case 'transducer':
      return readTransducer(name, content, found)
    case 'single':
      return readSingleModel(content, settings, found)
  }
}
