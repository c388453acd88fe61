export {
  apiKeyEnv,
  createApiKey,
  type KeyEnvironment,
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
  writeActiveRecord,
  writeChangedRecords,
  writeRevokedRecords,
} from './key-record.js'
export { createKeyUseRecorder } from './key-use-recorder.js'
export { createKeyWatch, type KeyWatch, type WatchedKey } from './key-watch.js'
export { digestApiKey, type Pepper, type Peppers, parsePeppers, peppersSchema } from './pepper.js'
export { createSecretText, isSecretText } from './secret-text.js'
