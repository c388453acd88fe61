import { ModelFileError, type Problems } from '../model-file.js'
import type { FolderContent } from '../model-files.js'
import { type OnnxMetadata, readOnnxMetadata, requireMetadata } from '../onnx/onnx-metadata.js'
import { findPart, type ModelPart } from './recognition-files.js'
import {
  type ModelData,
  qualityOf,
  type TokenTable,
  type TransducerFiles,
  tokensUpTo,
  wholeNumber,
} from './recognition-model.js'

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
export const readTransducer = async (
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
