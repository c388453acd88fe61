import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createParlance, type ParlanceOptions } from '@parlance/server'
import { sendJson, startLocalServer } from '@parlance/testing'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Respond = (request: Received, response: ServerResponse) => void

export const sendError = (response: ServerResponse, status: number, code: string, retryable: boolean, headers = {}) =>
  sendJson(response, status, { event: 'error', request_id: 'r-1', code, retryable, detail: 'Why.' }, headers)

/** A server that answers as the test says: requests by `respond`, and each WebSocket by the next of `sockets`. */
export const startStandIn = async (respond: Respond, sockets: ((socket: WebSocket) => void)[] = []) => {
  const requests: Received[] = []
  const { server, url, close } = await startLocalServer(async (req, res) => {
    const { method = '', url = '', headers } = req
    const request = { method, url, headers, body: await text(req) }
    requests.push(request)
    respond(request, res)
  })
  const webSockets = new WebSocketServer({ server, path: '/v1/tts/stream' })
  webSockets.on('connection', (socket) => sockets.shift()?.(socket))
  return {
    url,
    requests,
    parlance: (options: Partial<ParlanceOptions> = {}) => createParlance({ url, apiKey: 'awp_test', ...options }),
    stop: close,
  }
}
