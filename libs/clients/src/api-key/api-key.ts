import { z } from 'zod'
import { createSecretText, isSecretText } from './secret-text.js'

/** The installation that a key is good for: production or development. */
export const keyEnvironmentSchema = z.enum(['prd', 'dev'])
export type KeyEnvironment = z.infer<typeof keyEnvironmentSchema>

const prefixOf = (environment: KeyEnvironment) => `awp_${environment}_`

export const createApiKey = (environment: KeyEnvironment): string => createSecretText(prefixOf(environment))

/** Undefined for what cannot be a key: another shape, or a sum that does not fit. */
export const parseApiKey = (text: string): { environment: KeyEnvironment } | undefined => {
  const environment = keyEnvironmentSchema.options.find((option) => isSecretText(prefixOf(option), text))
  return environment && { environment }
}

/** What a person may see of a key in a list: enough to know it by, too little to guess it. */
export const visiblePrefix = (key: string): string => key.slice(0, 'awp_prd_'.length + 4)
