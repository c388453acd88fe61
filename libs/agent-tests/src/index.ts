export { createConversationWait } from './conversation-wait.js'
export {
  type Caller,
  type Failure,
  failuresOf,
  failureText,
  hasPassed,
  judgmentText,
  type Message,
  type Reply,
  runScenario,
  type ScenarioRun,
  type SessionRecords,
  type TestedAgent,
  type TurnResult,
} from './run-scenario.js'
export {
  parseScenarioFile,
  type Scenario,
  type ScenarioFile,
  ScenarioFileError,
  type Turn,
} from './scenario-file.js'
