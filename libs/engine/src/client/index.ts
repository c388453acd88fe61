export { EngineUnavailableError } from '../protocol/index.js'
export {
  type EngineProcess,
  EngineProcessEndedError,
  type EngineProcessOptions,
  failureOf,
  openEngineProcess,
} from './engine-process.js'
export { type EngineTrial, type EngineTrialOptions, runEngineTrial } from './engine-trial.js'
export { keepStartupErrors, logErrorOutput } from './error-output.js'
export { lowerPriority } from './lower-priority.js'
