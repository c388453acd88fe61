import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The answer that has begun on a connection and has not been handed to the system whole, or nothing. Node keeps it on
 * the socket and offers no other way to ask; it decides whether a connection may be written to, or closed.
 */
export const responseInProgress = (socket: Duplex): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
