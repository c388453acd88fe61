import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import type { AllowedPlaces } from './allowed-places.js'
import { EgressError } from './egress-error.js'
import { createGuardedConnector, type ResolveName, refusal, resolveName } from './guarded-connector.js'
import { isPublicAddress } from './public-address.js'

export interface EgressGuardOptions {
  /** Hosts and networks that are allowed besides the public Internet. */
  readonly allow: AllowedPlaces
  /** The allowed ports. Default: any. */
  readonly ports?: readonly number[] | undefined
  readonly resolve?: ResolveName
}

const connectTimeoutMs = 5_000
/** A name that takes longer is treated as one that does not resolve. */
const storedNameTimeoutMs = 2_000

const refuse = (message: string): never => {
  throw new EgressError('refused', message)
}

/**
 * Limits requests to addresses that customers chose, for any client of undici. It allows the public Internet, and what
 * `options` allow.
 */
export const createEgressGuard = ({ allow, ports, resolve = resolveName }: EgressGuardOptions) => {
  const addressOf = (text: string): URL => {
    if (!URL.canParse(text)) refuse('This is not a valid address.')
    const url = new URL(text)
    const { protocol, username, password } = url
    if (protocol !== 'http:' && protocol !== 'https:') refuse('Only http and https are supported.')
    if (username + password !== '') refuse('The address must not contain a user or a password.')
    const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port)
    if (ports !== undefined && !ports.includes(port)) refuse(`The operator does not allow port ${port}.`)
    return url
  }

  const addressesNow = async (host: string): Promise<readonly string[]> => {
    if (isIP(host) !== 0) return [host]
    const ending = new AbortController()
    const late = delay(storedNameTimeoutMs, [], { signal: ending.signal }).catch(() => [])
    const found = await Promise.race([resolve(host).catch(() => []), late])
    ending.abort()
    return found
  }

  return {
    /** The address as a URL. Throws `EgressError` when it is not allowed. */
    addressOf,
    /**
     * Checks an address when it is stored, while the client is there to correct it: it rejects with `invalid_request`, which
     * names `field`, for an address that is not allowed, and for a name that now resolves only to such addresses. A name that
     * does not resolve now is accepted.
     */
    async checkStored(field: string, text: string): Promise<void> {
      try {
        const host = addressOf(text).hostname.replace(/^\[|\]$/g, '')
        if (allow.host(host)) return
        const addresses = await addressesNow(host)
        const isCalled = addresses.some((address) => isPublicAddress(address) || allow.address(address))
        if (addresses.length > 0 && !isCalled) throw refusal()
      } catch (error) {
        throw error instanceof EgressError ? new ServiceError('invalid_request', `${field}: ${error.message}`) : error
      }
    },
    /** Connections, which fail with `EgressError`: `refused`, or `unreachable`. */
    connect: createGuardedConnector({ allow, resolve, timeoutMs: connectTimeoutMs }),
  }
}

export type EgressGuard = ReturnType<typeof createEgressGuard>
