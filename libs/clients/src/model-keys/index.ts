export { createModelKeys, type ModelKeys, modelKeysEnv, type ProviderName } from './model-keys.js'
