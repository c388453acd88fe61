import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createParlance, type ParlanceOptions } from '@parlance/server'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Respond = (request: Received, response: ServerResponse) => void

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

export const sendError = (response: ServerResponse, status: number, code: string, retryable: boolean, headers = {}) =>
  sendJson(response, status, { event: 'error', request_id: 'r-1', code, retryable, detail: 'Why.' }, headers)

/** A server that answers as the test says: requests by `respond`, and each WebSocket by the next of `sockets`. */
export const startStandIn = async (respond: Respond, sockets: ((socket: WebSocket) => void)[] = []) => {
  const requests: Received[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const { method = '', url = '', headers } = req
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    respond(request, res)
  })
  const webSockets = new WebSocketServer({ server, path: '/v1/tts/stream' })
  webSockets.on('connection', (socket) => sockets.shift()?.(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    parlance: (options: Partial<ParlanceOptions> = {}) => createParlance({ url, apiKey: 'awp_test', ...options }),
    async stop() {
      for (const socket of webSockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
