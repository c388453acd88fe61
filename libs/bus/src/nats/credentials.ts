import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'

/** One way to authenticate with a NATS server. */
export type NatsCredentials =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }
  /** The path of a file with a user's nkey seed (`SU…`). */
  | { readonly nkeySeedFile: string }
  /** The path of a credentials file: a user's JWT and its nkey seed. */
  | { readonly credsFile: string }

/**
 * Files are read again for every connection, so that a replaced file takes effect without a restart.
 *
 * @throws Error when a file cannot be read or is invalid. The client reports such an error of a
 * connection attempt as a timeout, so files are checked here first.
 */
export const createAuthenticator = (credentials: NatsCredentials): Authenticator => {
  const authenticate = authenticatorFor(credentials)
  authenticate('a challenge')
  return authenticate
}

const authenticatorFor = (credentials: NatsCredentials): Authenticator => {
  if ('user' in credentials) return usernamePasswordAuthenticator(credentials.user, credentials.password)
  if ('token' in credentials) return tokenAuthenticator(credentials.token)
  if ('nkeySeedFile' in credentials) return nkeyAuthenticator(() => seedIn(credentials.nkeySeedFile))
  return credsAuthenticator(() => readFileSync(credentials.credsFile))
}

const seedIn = (file: string): Uint8Array => Buffer.from(readFileSync(file, 'utf8').trim())
