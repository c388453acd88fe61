import { type AgentConfig, ServiceError } from '@parlance/contracts'
import { foldCase } from './fold-case.js'

/** A reply of the bus holds at least one Agent whole, and this leaves room for the rest of it. */
const maxConfigBytes = 256 * 1024

export interface StoredConfig {
  readonly json: string
  readonly bytes: number
  readonly slug: string
  readonly searchText: string
}

/** A configuration as a revision keeps it, and what of it an Agent is found by. Throws `invalid_request` if it is too big. */
export const storedConfig = (config: AgentConfig): StoredConfig => {
  const json = JSON.stringify(config)
  const bytes = Buffer.byteLength(json)
  if (bytes > maxConfigBytes) {
    throw new ServiceError('invalid_request', 'An Agent must be at most 256 KiB of JSON in all.')
  }
  const { slug, display_name, description } = config
  return { json, bytes, slug, searchText: foldCase([slug, display_name, description].join('\n')) }
}
