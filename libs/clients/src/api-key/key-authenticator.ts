/**
 * The check of an API key before a gateway serves a request.
 *
 * - The record in the TTL store decides. When there is none, or the store cannot be read, the auth service is called over
 *   the bus. When neither can be reached, the request is refused.
 * - No principal is cached beyond one tick. Requests of one tick with the same key share one look-up, which starts after
 *   the last of them arrived. So a request that was sent after a revocation was confirmed never gets an older answer.
 * - Refusals of auth are remembered for a minute, and auth is not asked again meanwhile. A key is random and made by auth,
 *   so one that was refused is never created later. One that is accepted elsewhere under another pepper gets a record,
 *   which decides.
 */
import type { CallContext, Client } from '@parlance/bus'
import { type authContract, type Principal, ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { LRUCache } from 'lru-cache'
import { type KeyEnvironment, parseApiKey } from './api-key.js'
import { type KeyRecord, readKeyRecord } from './key-record.js'
import { digestApiKey, type Peppers } from './pepper.js'

/**
 * The credentials after "Bearer" in an `Authorization` header. Throws `unauthorized` with a detail that names the expected
 * credentials (`what`, such as "an API key") and shows their form (`shape`).
 */
export const bearerCredentials = (header: string | undefined, what: string, shape: string): string => {
  if (header === undefined) {
    throw new ServiceError('unauthorized', `Send ${what} as "Authorization: Bearer ${shape}".`)
  }
  const [, scheme, credentials] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  if (scheme?.toLowerCase() !== 'bearer' || credentials === undefined) {
    throw new ServiceError('unauthorized', `The Authorization header must read "Bearer ${shape}".`)
  }
  return credentials
}

export interface KeyAuthenticatorOptions {
  ttl: Pick<TtlStore, 'get'>
  auth: Pick<Client<typeof authContract>, 'verifyKey'>
  peppers: Peppers
  environment: KeyEnvironment
  /** In ms since 1970. */
  now?: () => number
}

/**
 * Takes the `Authorization` header. `countUnknown` is called once, before a request is refused and before auth is asked for
 * a key that was not accepted lately. Rejects with `unauthorized` or `unavailable`, as `countUnknown` does, and with
 * nothing else.
 */
export type KeyAuthenticator = (
  header: string | undefined,
  context?: CallContext,
  countUnknown?: () => Promise<void>,
) => Promise<Principal>

const verifyDeadlineMs = 3_000
/** How many keys a process remembers of each kind, and for how long, in ms. */
const rememberedKeys = 10_000
const refusedLifeMs = 60_000
const acceptedLifeMs = 3_600_000

interface Found {
  readonly digest: string
  readonly record: KeyRecord | undefined
}

/** What the requests of one tick with the same key share. */
interface SharedLookUp {
  readonly found: Promise<Found>
  asked: Promise<Principal> | undefined
}

const unauthorized = (detail: string) => new ServiceError('unauthorized', detail)
/** The same for an unknown key and for a revoked one, so that callers cannot distinguish them. */
const unknownKey = () => unauthorized('This API key is not valid.')

const environmentNames: Record<KeyEnvironment, string> = { prd: 'production', dev: 'development' }

/**
 * Checks API keys against the records in the TTL store, and asks the auth service for a key without a record. Its
 * `authenticate` rejects with `unauthorized`, `organization_suspended` or `unavailable`.
 */
export const createKeyAuthenticator = (options: KeyAuthenticatorOptions): KeyAuthenticator => {
  const { ttl, auth, peppers, environment, now = Date.now } = options
  const [currentPepper] = peppers

  const assertPlausible = (key: string): void => {
    if (!key.startsWith('awp_')) throw unauthorized('This is not an API key: one starts with "awp_".')
    const parsed = parseApiKey(key)
    if (parsed === undefined) throw unauthorized('This API key is incomplete or has a typing error.')
    if (parsed.environment !== environment) {
      const [own, here] = [environmentNames[parsed.environment], environmentNames[environment]]
      throw unauthorized(`This key is for ${own}, but this installation is for ${here}.`)
    }
  }

  const askAuth = async (key: string, context: CallContext | undefined): Promise<Principal> => {
    const digests = peppers.map((pepper) => digestApiKey(key, pepper))
    try {
      return await auth.verifyKey({ digests }, { deadlineMs: verifyDeadlineMs, ...(context && { context }) })
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthorized') throw unknownKey()
      throw new ServiceError('unavailable', 'API keys cannot be checked at the moment. Try again.', { cause: error })
    }
  }

  /** The keys are digests of API keys. */
  const refused = new LRUCache<string, true>({ max: rememberedKeys, ttl: refusedLifeMs })
  const accepted = new LRUCache<string, true>({ max: rememberedKeys, ttl: acceptedLifeMs })

  const lookUp = async (key: string): Promise<Found> => {
    const { digest } = digestApiKey(key, currentPepper)
    // When the store cannot be read, auth has the same information.
    const record = await readKeyRecord(ttl, digest).catch(() => undefined)
    return { digest, record: record ?? (refused.has(digest) ? { state: 'revoked' } : undefined) }
  }

  const ask = async (key: string, digest: string, context: CallContext | undefined): Promise<Principal> => {
    try {
      const principal = await askAuth(key, context)
      accepted.set(digest, true)
      return principal
    } catch (error) {
      if ((error as ServiceError).code === 'unauthorized') {
        refused.set(digest, true)
        accepted.delete(digest)
      }
      throw error
    }
  }

  const ofThisTick = new Map<string, SharedLookUp>()
  const lookUpOncePerTick = (key: string): SharedLookUp => {
    const known = ofThisTick.get(key)
    if (known !== undefined) return known
    const found = new Promise<Found>((resolve) => {
      setImmediate(() => {
        // Later requests need a new look-up.
        ofThisTick.delete(key)
        resolve(lookUp(key))
      })
    })
    const shared: SharedLookUp = { found, asked: undefined }
    ofThisTick.set(key, shared)
    return shared
  }

  return async (header, context, countUnknown = async () => {}) => {
    let key: string
    try {
      key = bearerCredentials(header, 'an API key', 'awp_…')
      assertPlausible(key)
    } catch (error) {
      await countUnknown()
      throw error
    }
    const shared = lookUpOncePerTick(key)
    const { digest, record } = await shared.found
    if (record?.state === 'active' && record.expires_at > now()) {
      accepted.set(digest, true)
      return record.principal
    }
    if (!accepted.has(digest) || record?.state === 'revoked') await countUnknown()
    if (record?.state === 'revoked') throw unknownKey()
    shared.asked ??= ask(key, digest, context)
    return shared.asked
  }
}
