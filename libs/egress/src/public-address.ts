import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is given out to networks. */
const global = ipaddr.parseCIDR('2000::/3')

/** Azure's own services, among them the one that hands secrets to machines: private for all but its form. */
const platformAddresses = ['168.63.129.16']

/**
 * Whether an address is one of the public Internet: no range with a purpose of its own, and none that has an IPv4 address within
 * it (mapped, compatible, NAT64, 6to4, Teredo). `address` is as systems write it; whatever is not is no public address.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || platformAddresses.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(global)
}
