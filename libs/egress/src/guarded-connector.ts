/**
 * Connections to the public Internet, and to addresses that the operator allows.
 *
 * - The connected address is checked, not the name: a name may resolve to another address the next time.
 * - Names that users choose are resolved by separate sockets. The system's resolver works in a few threads that the whole
 *   process shares: four names whose servers do not answer would block it.
 */
import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AllowedPlaces } from './allowed-places.js'
import { EgressError } from './egress-error.js'
import { isPublicAddress } from './public-address.js'

/** The addresses of a name, as systems write them. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const dnsTimeoutMs = 2_000

const valuesOf = <T>(results: readonly PromiseSettledResult<T[]>[]) =>
  results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))

/** Names of this machine, whatever DNS servers answer (RFC 6761). */
const isLocalhost = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name)

export const resolveName: ResolveName = async (name) => {
  if (isLocalhost(name)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: 2 })
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = valuesOf(results)
  const [first] = results
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason
  return addresses
}

export const refusal = () =>
  new EgressError('refused', 'The address is not on the public Internet, and the operator does not allow it.')

interface GuardedConnectorOptions {
  readonly allow: AllowedPlaces
  readonly resolve: ResolveName
  readonly timeoutMs: number
}

/** Fails with `EgressError`: `refused`, or `unreachable`. */
export const createGuardedConnector = ({
  allow,
  resolve,
  timeoutMs,
}: GuardedConnectorOptions): buildConnector.connector => {
  const mayConnect = (address: string) => isPublicAddress(address) || allow.address(address)

  const lookup: LookupFunction = (name, options, callback) => {
    if (allow.host(name)) return systemLookup(name, options, callback)
    resolve(name).then(
      (all) => {
        const addresses = all.filter(mayConnect).map((address) => ({ address, family: isIP(address) }))
        const [first] = addresses
        if (first === undefined) callback(refusal(), [])
        else if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

  const connect = buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: true })
  return (options, callback) => {
    // An address is not looked up.
    if (isIP(options.hostname) !== 0 && !mayConnect(options.hostname) && !allow.host(options.hostname)) {
      return callback(refusal(), null)
    }
    connect(options, (...[error, socket]) => {
      if (error === null) return callback(null, socket)
      if (error instanceof EgressError) return callback(error, null)
      callback(new EgressError('unreachable', 'The connection could not be opened.', { cause: error }), null)
    })
  }
}
