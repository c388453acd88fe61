import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'

/** A GET at the path of a WebSocket that asks for none. */
export const refuseWithoutUpgrade: RequestHandler = () => {
  throw new ServiceError('invalid_request', 'This is a WebSocket: connect to it with the header "Upgrade: websocket".')
}
