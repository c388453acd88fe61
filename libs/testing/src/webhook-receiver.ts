import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A customer's server on a free port of this machine. */
export interface WebhookReceiver {
  readonly url: string
  readonly port: number
  /** All requests so far. */
  readonly received: readonly ReceivedRequest[]
  /** Answers a request, which is the `count`-th. Tests set it. By default it answers 204. */
  answer: (response: ServerResponse, count: number) => void
  stop(): Promise<void>
}

/** Starts a receiver that records all requests. */
export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
    receiver.answer(response, received.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    answer: (response) => void response.writeHead(204).end(),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}
