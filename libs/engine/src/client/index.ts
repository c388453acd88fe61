export {
  type EngineProcess,
  EngineProcessEndedError,
  type EngineProcessOptions,
  EngineUnavailableError,
  failureOf,
  openEngineProcess,
} from './engine-process.js'
export { keepLastWords, logErrorOutput } from './error-output.js'
