export {
  type EngineProcess,
  type EngineProcessOptions,
  EngineUnavailableError,
  failureOf,
  openEngineProcess,
} from './engine-process.js'
export { keepLastWords, logErrorOutput } from './error-output.js'
