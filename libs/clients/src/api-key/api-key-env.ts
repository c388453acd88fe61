import { z } from 'zod'
import { keyEnvironmentSchema } from './api-key.js'
import { peppersSchema } from './pepper.js'

/** The environment variables of every service that handles keys. Their values must be the same in all of them. */
export const apiKeyEnv = z.object({
  /** `version:secret` pairs, separated by commas. Keys are digested under the highest version. */
  API_KEY_PEPPERS: peppersSchema.describe(
    'a secret such as "1:<at least 16 random characters>", the same for all services',
  ),
  API_KEY_ENVIRONMENT: keyEnvironmentSchema
    .default('prd')
    .describe('the kind of keys that this installation creates and accepts'),
})
export type ApiKeyEnv = z.infer<typeof apiKeyEnv>
