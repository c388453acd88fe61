export { type Environment, type EnvironmentProblem, environmentProblems, publicUrlSchema } from './environment.js'
export { natsOptions, natsProblems } from './nats/index.js'
export { type PlatformEnvironment, platformEnvironmentSchema } from './platform-environment.js'
export { exitProcess, StartupError } from './process/index.js'
export { type RunOptions, run } from './run.js'
export {
  type ReadSecret,
  readKeySetting,
  readSecretSetting,
  type SecretReference,
  type SecretSettings,
  secretReferenceSchema,
} from './secret.js'
export type * from './service.js'
export { type Running, type StartOptions, startServices } from './start-services.js'
