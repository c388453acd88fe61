export { isOperatorSocketAnswered, operatorDeadlineMs, operatorSocketPath } from './operator-socket.js'
export { readPrivateFile, writePrivateFile } from './private-file.js'
export {
  dataFolderOf,
  modelsDirOf,
  openStandaloneEnvironment,
  type StandaloneEnvironment,
} from './standalone-environment.js'
