import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'

/** `GET /v1/tts/stream` that asks for no WebSocket. */
export const refuseWithoutUpgrade: RequestHandler = () => {
  throw new ServiceError('invalid_request', 'This is a WebSocket: connect to it with the header "Upgrade: websocket".')
}
