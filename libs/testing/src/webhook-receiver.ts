import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startLocalServer } from './local-server.js'

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
  const { url, port, close } = await startLocalServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    receiver.answer(response, received.length)
  })
  const receiver: WebhookReceiver = {
    url: `${url}/hooks`,
    port,
    received,
    answer: (response) => void response.writeHead(204).end(),
    stop: close,
  }
  return receiver
}
