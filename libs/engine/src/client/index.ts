export { EngineUnavailableError } from '../protocol/index.js'
export {
  EnginePool,
  EnginePoolClosedError,
  EnginePoolFullError,
  type EnginePoolOptions,
  type PoolJob,
} from './engine-pool.js'
export {
  type EngineProcess,
  EngineProcessEndedError,
  type EngineProcessOptions,
  EngineSilentError,
  lowerPriority,
  openEngineProcess,
} from './engine-process.js'
export { type EngineTrial, runEngineTrial } from './engine-trial.js'
export { keepStartupErrors, logErrorOutput } from './error-output.js'
