export type { EngineArguments } from './main.js'
export {
  type ModelMeasurement,
  measureAndRecord,
  measureModel,
  measureSpeechModel,
  prefersTwoThreads,
  timesRealTimeOf,
  tryModel,
} from './model-measurement.js'
export type { TrialReport } from './trial-report.js'
