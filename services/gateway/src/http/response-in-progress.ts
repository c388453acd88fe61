import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The response of a connection that has not been handed to the kernel completely, or undefined. It decides whether the
 * connection may be written to or closed. Node keeps it in a private field of the socket and has no public way to read it.
 */
export const responseInProgress = (socket: Duplex): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
