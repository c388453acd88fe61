import type { buildConnector } from 'undici'
import type { AllowedPlaces } from './allowed-places.js'
import { EgressError } from './egress-error.js'
import { createGuardedConnector, type ResolveName, resolveName } from './guarded-connector.js'

export interface EgressGuardOptions {
  /** Beside the public Internet. */
  readonly allow: AllowedPlaces
  /** Those of the addresses; any where left out. */
  readonly ports?: readonly number[] | undefined
  readonly resolve?: ResolveName
}

/** What limits requests to addresses that customers chose, for any client of undici. */
export interface EgressGuard {
  /** The address as a URL. Throws `EgressError` for one that is not called. */
  addressOf(text: string): URL
  /** Connections, which fail with `EgressError`: `refused`, or `unreachable`. */
  readonly connect: buildConnector.connector
}

const connectTimeoutMs = 5_000

const refuse = (message: string): never => {
  throw new EgressError('refused', message)
}

/** A guard that allows the public Internet, and what `options` allow. Errors: see `EgressGuard`. */
export const createEgressGuard = ({ allow, ports, resolve = resolveName }: EgressGuardOptions): EgressGuard => ({
  addressOf(text) {
    if (!URL.canParse(text)) refuse('This is no address.')
    const url = new URL(text)
    const { protocol, username, password } = url
    if (protocol !== 'http:' && protocol !== 'https:') refuse('Only http and https are spoken.')
    if (username + password !== '') refuse('An address with a user or a password is not called.')
    const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port)
    if (ports !== undefined && !ports.includes(port)) refuse(`The operator does not allow the port ${port}.`)
    return url
  },
  connect: createGuardedConnector({ allow, resolve, timeoutMs: connectTimeoutMs }),
})
