import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'

/** Answers a GET at the path of a WebSocket without the header that asks for one. */
export const refuseWithoutUpgrade: RequestHandler = () => {
  throw new ServiceError('invalid_request', 'This is a WebSocket: connect to it with the header "Upgrade: websocket".')
}
