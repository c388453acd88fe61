export {
  apiKeyEnv,
  createApiKey,
  type KeyEnvironment,
  keyEnvironmentSchema,
  parseApiKey,
  visiblePrefix,
} from './api-key.js'
export {
  bearerCredentials,
  createKeyAuthenticator,
  type KeyAuthenticator,
  type KeyAuthenticatorOptions,
} from './key-authenticator.js'
export {
  activeRecordTtlMs,
  type KeyRecord,
  readKeyRecord,
  writeActiveRecord,
  writeChangedRecords,
  writeRevokedRecords,
} from './key-record.js'
export { createKeyUseRecorder, type KeyUseRecorder, type KeyUseRecorderOptions } from './key-use-recorder.js'
export { createKeyWatch, type KeyWatch, type KeyWatchOptions, type OnKeyEnded, type WatchedKey } from './key-watch.js'
export { digestApiKey, type Pepper, type Peppers, parsePeppers, peppersSchema } from './pepper.js'
export { createSecretText, isSecretText } from './secret-text.js'
