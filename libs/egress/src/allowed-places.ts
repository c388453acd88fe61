import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** For addresses that the operator chose. */
export const everyPlace: AllowedPlaces = { host: () => true, address: () => true }

type Range = ReturnType<typeof ipaddr.parseCIDR>

const rangeOf = (place: string): Range | undefined => {
  const [address = '', length] = place.split('/')
  if (isIP(address) === 0) return undefined
  if (length === undefined) return ipaddr.parseCIDR(`${address}/${isIP(address) === 4 ? 32 : 128}`)
  return ipaddr.isValidCIDR(place) ? ipaddr.parseCIDR(place) : undefined
}

const hostPattern = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u

/** Names are compared without a trailing dot and in lower case. */
const sameName = (host: string) => host.toLowerCase().replace(/\.$/, '')

/**
 * Parses where requests may go besides the public Internet: hosts, addresses and networks, separated by commas, such as
 * `hooks.internal,10.0.0.0/8`. Throws an `Error` that quotes the first invalid entry.
 */
export const parseAllowedPlaces = (list: string) => {
  const hosts = new Set<string>()
  const ranges: Range[] = []
  for (const place of list.split(',').map((part) => part.trim())) {
    if (place === '') continue
    const range = rangeOf(place)
    if (range !== undefined) ranges.push(range)
    // Resolvers treat a name that ends in a number as an address.
    else if (hostPattern.test(place) && !/(^|\.)(\d+|0x[\da-f]*)$/i.test(place)) hosts.add(sameName(place))
    else throw new Error(`"${place}" is neither a host nor a network such as "10.0.0.0/8".`)
  }
  return {
    /** A host name. Requests to it may go to any of its addresses. */
    host: (name: string): boolean => hosts.has(sameName(name)),
    address(address: string): boolean {
      if (isIP(address) === 0) return false
      const parsed = ipaddr.parse(address)
      return ranges.some((range) => range[0].kind() === parsed.kind() && parsed.match(range))
    },
  }
}

export type AllowedPlaces = ReturnType<typeof parseAllowedPlaces>
