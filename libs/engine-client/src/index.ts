export {
  type EngineListener,
  type EngineProcess,
  type EngineProcessOptions,
  EngineUnavailableError,
  failureOf,
  openEngineProcess,
} from './engine-process.js'
export { type ErrorOutput, keepLastWords, logErrorOutput } from './error-output.js'
