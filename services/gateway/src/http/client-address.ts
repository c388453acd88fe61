import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'

/**
 * The address of the client, behind the proxies that the installation trusts. Requests that Express has not seen have it too: all
 * requests of the server are of Express's class (`express-messages.ts`).
 */
export const clientAddressOf = (req: IncomingMessage): string => (req as Request).ip ?? ''
