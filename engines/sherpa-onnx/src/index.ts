export type { EngineArguments } from './engine-arguments.js'
export { type TrialOptions, tryModel } from './model-trial.js'
export type { TrialReport } from './trial-report.js'
