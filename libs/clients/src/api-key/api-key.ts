import { z } from 'zod'
import { createSecretText, isSecretText } from './secret-text.js'

/** The kind of installation that accepts a key: production or development. */
export const keyEnvironmentSchema = z.enum(['prd', 'dev'])
export type KeyEnvironment = z.infer<typeof keyEnvironmentSchema>

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
