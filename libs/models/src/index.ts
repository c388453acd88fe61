export type { DetectorModel } from './detector-folder.js'
export { type Lexicon, readLexicon } from './lexicon.js'
export { readModelFolder } from './model-folder.js'
export { modelEngineName, variantId } from './model-name.js'
export { describeModelFailure, isSlow, type ModelSpeed, readModelSpeed, writeModelSpeed } from './model-records.js'
export { readKokoroName } from './model-speakers.js'
export { modelVoices } from './model-voices.js'
export { type FoundFolder, readFolder, readModelsFolder } from './models-folder.js'
export { nameGraphs } from './onnx/name-graphs.js'
export { type OnnxTensor, type OnnxTensors, readOnnxTensors } from './onnx/onnx-graph.js'
export { readRecognitionFolder } from './recognition/recognition-folder.js'
export type { RecognitionFiles, RecognitionModel } from './recognition/recognition-kinds.js'
export type { SpeechModel } from './speech-model.js'
export {
  keepModelsOpen,
  type OpenModels,
  type OpenModelsOptions,
} from './watch/keep-models-open.js'
