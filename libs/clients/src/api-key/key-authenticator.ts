/**
 * The check of an API key before a gateway serves a request.
 *
 * - The record in the TTL store decides. When there is none, or the store cannot be read, the auth service is called over the
 *   bus. When neither can be reached, the request is refused.
 * - Nothing is cached from one tick to the next. Requests of one tick with the same key share one look-up, which starts after
 *   the last of them arrived. So a request that was sent after a revocation was confirmed never gets an older answer.
 */
import type { CallContext, Client } from '@parlance/bus'
import { type authContract, type Principal, ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { type KeyEnvironment, parseApiKey } from './api-key.js'
import { bearerCredentials } from './bearer-credentials.js'
import { type KeyRecord, readKeyRecord } from './key-record.js'
import { digestApiKey, type Peppers } from './pepper.js'

export interface KeyAuthenticatorOptions {
  ttl: Pick<TtlStore, 'get'>
  auth: Pick<Client<typeof authContract>, 'verifyKey'>
  peppers: Peppers
  environment: KeyEnvironment
  /** In ms since 1970. */
  now?: () => number
}

/** Takes the `Authorization` header. Rejects with `unauthorized` or `unavailable`, and with nothing else. */
export type KeyAuthenticator = (header: string | undefined, context?: CallContext) => Promise<Principal>

const verifyDeadlineMs = 3_000

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
    if (parsed === undefined) throw unauthorized('This API key is not complete or has a typing error.')
    if (parsed.environment !== environment) {
      const [own, here] = [environmentNames[parsed.environment], environmentNames[environment]]
      throw unauthorized(`This is a key for ${own}, and this is ${here}.`)
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

  const check = async (key: string, context: CallContext | undefined): Promise<Principal> => {
    let record: KeyRecord | undefined
    try {
      record = await readKeyRecord(ttl, digestApiKey(key, currentPepper).digest)
    } catch {
      // Auth has the same information.
    }
    if (record?.state === 'revoked') throw unknownKey()
    if (record?.state === 'active' && record.expires_at > now()) return record.principal
    return askAuth(key, context)
  }

  const ofThisTick = new Map<string, Promise<Principal>>()
  const checkOncePerTick = (key: string, context: CallContext | undefined): Promise<Principal> => {
    const shared = ofThisTick.get(key)
    if (shared !== undefined) return shared
    const started = new Promise<Principal>((resolve) => {
      setImmediate(() => {
        // Requests from here on need a look-up of their own.
        ofThisTick.delete(key)
        resolve(check(key, context))
      })
    })
    ofThisTick.set(key, started)
    return started
  }

  return async (header, context) => {
    const key = bearerCredentials(header, 'an API key', 'awp_…')
    assertPlausible(key)
    return checkOncePerTick(key, context)
  }
}
