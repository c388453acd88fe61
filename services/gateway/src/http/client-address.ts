import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Request } from 'express'

/**
 * The address of the client, behind the proxies that the installation trusts. Requests that Express has not seen have it
 * too: all requests of the server are of Express's class (`express-messages.ts`).
 */
export const clientAddressOf = (req: IncomingMessage): string => (req as Request).ip ?? ''

/**
 * The network to which requests of the client are attributed: the IPv4 address, or the 64 bits of an IPv6 network, whose holder
 * chooses the rest.
 */
export const clientNetworkOf = (req: IncomingMessage): string => {
  const address = clientAddressOf(req)
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
