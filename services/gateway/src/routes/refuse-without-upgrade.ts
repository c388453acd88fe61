import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'

/** Refuses a GET at the path of a WebSocket without an `Upgrade` header. */
export const refuseWithoutUpgrade: RequestHandler = () => {
  throw new ServiceError('invalid_request', 'This is a WebSocket: connect to it with the header "Upgrade: websocket".')
}
