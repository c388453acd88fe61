import { z } from 'zod'
import { peppersSchema } from './pepper.js'
import { createSecretText, isSecretText } from './secret-text.js'

/** The kind of installation that accepts a key: production or development. */
const keyEnvironmentSchema = z.enum(['prd', 'dev'])
export type KeyEnvironment = z.infer<typeof keyEnvironmentSchema>

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

const prefixOf = (environment: KeyEnvironment) => `awp_${environment}_`

/** A new random API key, `awp_prd_…` or `awp_dev_…`, with a checksum at its end. */
export const createApiKey = (environment: KeyEnvironment): string => createSecretText(prefixOf(environment))

/** Undefined for a text of another form or with a wrong checksum. */
export const parseApiKey = (text: string): { environment: KeyEnvironment } | undefined => {
  const environment = keyEnvironmentSchema.options.find((option) => isSecretText(prefixOf(option), text))
  return environment && { environment }
}

/** The part of a key that lists show: enough to recognize it, too little to guess it. */
export const visiblePrefix = (key: string): string => key.slice(0, 'awp_prd_'.length + 4)
