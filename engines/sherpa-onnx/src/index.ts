export type { EngineArguments } from './main.js'
export {
  type MeasureOptions,
  type ModelMeasurement,
  measureAndRecord,
  measureModel,
  measureSpeechModel,
  prefersTwoThreads,
  type TrialOptions,
  timesRealTimeOf,
  tryModel,
} from './model-measurement.js'
export type { SpeechTrial, TrialReport } from './trial-report.js'
