import { isIP } from 'node:net'
import { ServiceError } from '@parlance/contracts'
import { type AllowedPlaces, isPublicAddress } from '@parlance/egress'

const invalid = (problem: string) => new ServiceError('invalid_request', `url: ${problem}`)

/**
 * Refuses an address that could never be called, while the client is there to correct it. What its name stands for is checked
 * at each delivery. Throws `invalid_request`.
 */
export const checkUrl = (text: string, allow: AllowedPlaces, ports: readonly number[] | undefined): void => {
  const { protocol, hostname, port, username, password } = new URL(text)
  if (username + password !== '') throw invalid('must not have a user or a password')
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  if (ports !== undefined && !ports.includes(number)) throw invalid(`the operator does not allow the port ${number}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isAllowed = isIP(host) === 0 || isPublicAddress(host) || allow.address(host) || allow.host(host)
  if (!isAllowed) throw invalid('is not an address of the public Internet, nor one that the operator allows')
}
