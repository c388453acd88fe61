export type { EngineArguments } from './engine-arguments.js'
export {
  type MeasureOptions,
  type ModelMeasurement,
  measureModel,
  prefersTwoThreads,
  timesRealTimeOf,
} from './model-measurement.js'
export { type TrialOptions, tryModel } from './model-trial.js'
export { measureAndRecord, measureSpeechModel } from './recorded-speed.js'
export type { SpeechTrial, TrialReport } from './trial-report.js'
