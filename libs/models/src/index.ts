export type { DetectorModel } from './detector-folder.js'
export { readKokoroName } from './kokoro-name.js'
export { type Lexicon, readLexicon } from './lexicon.js'
export { describeModelFailure } from './model-failure.js'
export { type ModelReading, readModelFolder } from './model-folder.js'
export { modelEngineName, variantId } from './model-name.js'
export { isSlow, type ModelSpeed, readModelSpeed, writeModelSpeed } from './model-speed.js'
export { type ModelVoice, modelVoices } from './model-voices.js'
export { type FolderReading, type FoundFolder, readFolder, readModelsFolder } from './models-folder.js'
export { type OnnxTensor, type OnnxTensors, readOnnxTensors } from './onnx/onnx-tensors.js'
export { type RecognitionReading, readRecognitionFolder } from './recognition/recognition-folder.js'
export type { RecognitionFiles, RecognitionKind, RecognitionModel } from './recognition/recognition-model.js'
export type { ModelFiles, ModelKind, ModelSpeaker, SpeechModel } from './speech-model.js'
export {
  type InstalledModelFolder,
  keepModelsOpen,
  type OpenModels,
  type OpenModelsOptions,
} from './watch/keep-models-open.js'
