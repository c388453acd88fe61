/** One NATS server, and as whom to talk to it. */
export interface NatsServer {
  readonly host: string
  readonly port: number
  /** Only over TLS. Where it is false the server may still ask for it. */
  readonly secure: boolean
  readonly credentials: NatsCredentials
}

/** What `CONNECT` says of the client; nothing where the server lets everybody in. */
export type NatsCredentials =
  | { readonly user: string; readonly pass: string }
  | { readonly auth_token: string }
  | Readonly<Record<string, never>>

const defaultPort = 4222

/** `nats://` or `tls://`, then `user:password@`, `token@` or neither, then host and port. */
const parseServer = (address: string): NatsServer => {
  const { protocol, hostname, port, username, password } = new URL(address)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    secure: protocol === 'tls:',
    credentials: credentialsOf(decodeURIComponent(username), decodeURIComponent(password)),
  }
}

const credentialsOf = (user: string, pass: string): NatsCredentials => {
  if (pass !== '') return { user, pass }
  return user === '' ? {} : { auth_token: user }
}

/** The servers of a cluster in turn: those that were named, and those that they tell of. */
export interface ServerPool {
  /** How many were named. */
  readonly named: number
  next(): NatsServer
  /** The cluster is now reached at these, each `host:port`. */
  learn(addresses: readonly string[]): void
}

/** `url` is one address or several, comma separated. Throws `TypeError` for what is none. */
export const createServerPool = (url: string): ServerPool => {
  const named = url.split(',').map((address) => parseServer(address.trim()))
  let all = named
  // Many who lose one server at the same moment do not all come to the same other one.
  let turn = Math.floor(Math.random() * named.length)

  const isNamed = ({ host, port }: NatsServer) => named.some((one) => one.host === host && one.port === port)

  return {
    named: named.length,
    next: () => all[turn++ % all.length]!,
    learn(addresses) {
      const { secure, credentials } = named[0]!
      const told = addresses.map((address) => ({ ...parseServer(`nats://${address}`), secure, credentials }))
      all = [...named, ...told.filter((server) => !isNamed(server))]
    },
  }
}
