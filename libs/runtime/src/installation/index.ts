export type { Environment } from '../environment.js'
export { isOperatorSocketAnswered, operatorDeadlineMs, operatorSocketPath } from './operator-socket.js'
export { readPrivateFile, writePrivateFile } from './secrets.js'
export {
  dataFolderOf,
  modelsDirOf,
  openStandaloneEnvironment,
} from './standalone-environment.js'
