import type { FolderSettings } from '../folder-settings.js'
import { ModelFileError, type Problems } from '../model-file.js'
import { type FolderContent, findModelFile } from '../model-files.js'
import { readOnnxMetadata, requireMetadata } from '../onnx/onnx-metadata.js'
import { type ModelData, qualityOf, type TokenTable, tokensUpTo, wholeNumber } from './recognition-model.js'

const senseVoiceLanguages = ['en', 'ja', 'ko', 'yue', 'zh']

/** The end of a sentence, without which the library ends the process. */
const paraformerEnd = '</s>'

const checkParaformerTokens = (count: number) => (tokens: TokenTable) =>
  tokensUpTo(count)(tokens) ??
  (tokens.has(paraformerEnd) ? undefined : `is of another model: ${paraformerEnd} is missing`)

/** Reads a model in one file: SenseVoice or Paraformer. */
export const readSingleModel = async (
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
