/**
 * The keys of model providers that workspaces have added, the headers of their MCP servers and the auth tokens of their telephone
 * numbers.
 */
import { ServiceError } from '@parlance/contracts'
import { type Peppers, peppersSchema } from '../api-key/index.js'
import { createSealing } from '../sealing/index.js'

/** The environment variables of the services that seal keys of model providers, or open them. */
export const modelKeysEnv = {
  MODEL_PROVIDER_KEYS: peppersSchema
    .optional()
    .describe(
      'a secret such as "1:<32 random bytes in base64>" under which keys of model providers, headers of MCP servers and auth tokens of telephone numbers are stored; workspaces cannot store any without it',
    ),
}

/** A model provider of a workspace, a header of one of its MCP servers, or one of its telephone numbers. */
interface ProviderName {
  readonly workspaceId: string
  readonly providerId: string
}

const ownerOf = ({ workspaceId, providerId }: ProviderName): string => `${workspaceId} ${providerId}`

/** What was sealed for one purpose cannot be opened for the other. */
const purposes = {
  keys: { purpose: 'keys of model providers', plural: 'Keys of model providers', one: 'key of the model provider' },
  headers: { purpose: 'headers of MCP servers', plural: 'Headers of MCP servers', one: 'header of the MCP server' },
  phone: {
    purpose: 'accounts of telephone numbers',
    plural: 'Telephone numbers',
    one: 'auth token of the telephone number',
  },
} as const

/**
 * A key can be opened for the provider for which it was sealed, and for no other. `masterKeys` are the keys of
 * MODEL_PROVIDER_KEYS; undefined when it is not set.
 */
export const createModelKeys = (masterKeys: Peppers | undefined, of: keyof typeof purposes = 'keys') => {
  const { purpose, plural, one } = purposes[of]
  const sealing = masterKeys && createSealing(masterKeys, purpose)
  return {
    /** Rejects with `unavailable` when the operator has set no master key. */
    async seal(provider: ProviderName, key: string): Promise<string> {
      if (sealing !== undefined) return sealing.seal(key, ownerOf(provider))
      throw new ServiceError(
        'unavailable',
        `${plural} cannot be stored here. The operator of this installation can set MODEL_PROVIDER_KEYS.`,
      )
    },
    /** Rejects with `unavailable` when the master key that sealed the key is missing. */
    async open(provider: ProviderName, sealed: string): Promise<string> {
      const key = await sealing?.open(sealed, ownerOf(provider))
      if (key !== undefined) return key
      throw new ServiceError('unavailable', `The stored ${one} cannot be read.`)
    },
    /**
     * Seals a text again that an earlier master key sealed. Returns undefined when the text needs no new seal or cannot
     * be opened.
     */
    async reseal(provider: ProviderName, sealed: string): Promise<string | undefined> {
      if (sealing === undefined || sealing.isCurrent(sealed)) return undefined
      const key = await sealing.open(sealed, ownerOf(provider))
      return key === undefined ? undefined : sealing.seal(key, ownerOf(provider))
    },
  }
}

export type ModelKeys = ReturnType<typeof createModelKeys>
