import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** A listener of the server's `upgrade` event. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void
