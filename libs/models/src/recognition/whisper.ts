import { ModelFileError, type Problems } from '../model-file.js'
import type { FolderContent } from '../model-files.js'
import { type OnnxMetadata, readOnnxMetadata, requireMetadata } from '../onnx/onnx-metadata.js'
import { findPart } from './recognition-files.js'
import { type ModelData, qualityOf, wholeNumber } from './recognition-model.js'

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
export const isWhisper = ({ model_type }: OnnxMetadata): boolean => model_type?.startsWith('whisper') === true

/** Reads a model of Whisper. Its tokens are those of OpenAI, without the special ones. */
export const readWhisper = async (content: FolderContent, { attempt }: Problems): Promise<ModelData | undefined> => {
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
