import { ModelFileError } from './model-file.js'
import { type FolderContent, findLexicons } from './model-files.js'
import type { OnnxMetadata } from './onnx/onnx-metadata.js'
import { type ModelKind, modelKinds } from './speech-model.js'

const isOn = (flag: string | undefined) => flag !== undefined && flag !== '0' && flag !== ''

/** By the files beside the model, which decide, and by what it says of itself, which must not speak against them. */
export const kindOf = (
  model: string,
  { names }: FolderContent,
  vocoder: string | undefined,
  metadata: OnnxMetadata,
): ModelKind => {
  const type = metadata.model_type?.toLowerCase()
  const told = modelKinds.find((kind) => type?.includes(kind))
  if (type !== undefined && told === undefined) {
    throw new ModelFileError(model, `is a model of type "${type}": Kokoro, Matcha and VITS models can be spoken with`)
  }
  return told ?? (names.includes('voices.bin') ? 'kokoro' : vocoder === undefined ? 'vits' : 'matcha')
}

/** What a model needs besides itself and its tokens. */
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
