import type { NatsCredentials } from './credentials.js'

export interface ServerAddresses {
  /** `host:port` of every server, as the NATS client takes it. */
  readonly servers: readonly string[]
  /** The credentials that the addresses contain; undefined if none does. */
  readonly credentials: NatsCredentials | undefined
  /** Whether an address asks for TLS by `tls://`; then every server must offer it. */
  readonly secure: boolean
}

const defaultPort = '4222'

/**
 * Reads one address or several, separated by commas: `nats://` or `tls://`, then `user:password@`, `token@` or neither,
 * then the host and an optional port. The client presents the same credentials to every server of a cluster, so the
 * first address that has any decides.
 *
 * @throws TypeError when an address is not a URL.
 */
export const parseServerAddresses = (url: string): ServerAddresses => {
  const addresses = url.split(',').map((address) => new URL(address.trim()))
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
    credentials: addresses.map(credentialsIn).find((credentials) => credentials !== undefined),
    secure: addresses.some(({ protocol }) => protocol === 'tls:'),
  }
}

/** The addresses without user names, passwords and tokens, for messages. */
export const withoutCredentials = (url: string): string => url.replace(/\/\/[^@/,]*@/g, '//')

const credentialsIn = ({ username, password }: URL): NatsCredentials | undefined => {
  const user = decodeURIComponent(username)
  if (password !== '') return { user, password: decodeURIComponent(password) }
  return user === '' ? undefined : { token: user }
}
