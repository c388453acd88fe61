import { type AgentConfig, ServiceError } from '@parlance/contracts'

/** An Agent must fit into one message of the bus together with the rest of the reply. */
const maxConfigBytes = 256 * 1024

export interface StoredConfig {
  readonly json: string
  readonly bytes: number
  readonly slug: string
  readonly searchText: string
}

/** Texts that differ only in case, or in the composition of accents, become equal. */
export const foldCase = (text: string): string => text.normalize('NFC').toUpperCase()

/** The stored form of a configuration, and the text by which its Agent is found. Throws `invalid_request` when it is too big. */
export const storedConfig = (config: AgentConfig): StoredConfig => {
  const json = JSON.stringify(config)
  const bytes = Buffer.byteLength(json)
  if (bytes > maxConfigBytes) {
    throw new ServiceError('invalid_request', 'An Agent must be at most 256 KiB of JSON in all.')
  }
  const { slug, display_name, description } = config
  return { json, bytes, slug, searchText: foldCase([slug, display_name, description].join('\n')) }
}
