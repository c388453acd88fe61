import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is allocated to networks. */
const global = ipaddr.parseCIDR('2000::/3')

/** Azure's platform services, among them the one that gives secrets to machines. The address looks public and is not. */
const platformAddresses = ['168.63.129.16']

/**
 * Whether an address is on the public Internet: in no special-purpose range, and in none that embeds an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo). `address` must be in the system's notation; any other text is not a public address.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || platformAddresses.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(global)
}
