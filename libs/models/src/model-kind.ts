import { ModelFileError } from './model-file.js'
import { type FolderContent, findLexicons } from './model-files.js'
import type { OnnxMetadata } from './onnx/onnx-metadata.js'
import { type ModelKind, modelKinds } from './speech-model.js'

const isOn = (flag: string | undefined) => flag !== undefined && flag !== '0' && flag !== ''

/** Returns the kind by the model's metadata, otherwise by the files beside it. Throws `ModelFileError` for an unsupported type. */
export const kindOf = (
  model: string,
  { names }: FolderContent,
  vocoder: string | undefined,
  metadata: OnnxMetadata,
): ModelKind => {
  const type = metadata.model_type?.toLowerCase()
  const declared = modelKinds.find((kind) => type?.includes(kind))
  if (type !== undefined && declared === undefined) {
    throw new ModelFileError(model, `is a model of type "${type}": Kokoro, Matcha and VITS models can be spoken with`)
  }
  return declared ?? (names.includes('voices.bin') ? 'kokoro' : vocoder === undefined ? 'vits' : 'matcha')
}

/** The files that a model needs besides its own and its tokens. */
export interface ModelNeed {
  readonly espeakData: boolean
  readonly lexicon: boolean
}

export const needOf = (kind: ModelKind, content: FolderContent, metadata: OnnxMetadata): ModelNeed => {
  if (kind === 'kokoro') return { espeakData: true, lexicon: Number(metadata.version ?? 1) >= 2 }
  if (kind === 'matcha')
    return { espeakData: isOn(metadata.has_espeak), lexicon: isOn(metadata.jieba) || !isOn(metadata.has_espeak) }
  if (metadata.frontend === 'characters') return { espeakData: false, lexicon: false }
  const readsPhonemes = isOn(metadata.has_espeak) || /piper/.test(metadata.comment ?? '')
  const espeakData = readsPhonemes && (content.names.includes('espeak-ng-data') || findLexicons(content).length === 0)
  return { espeakData, lexicon: !espeakData }
}
