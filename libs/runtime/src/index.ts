export { type Environment, type EnvironmentProblem, environmentProblems, publicUrlSchema } from './environment.js'
export { natsProblems } from './nats/index.js'
export { platformEnvironmentSchema } from './platform-environment.js'
export { exitProcess, StartupError } from './process/index.js'
export { run } from './run.js'
export {
  createSecretReader,
  type ReadSecret,
  readKeySetting,
  readSecretSetting,
  type SecretReference,
  secretReferenceSchema,
} from './secret.js'
export type * from './service.js'
export { type Running, startServices } from './start-services.js'
