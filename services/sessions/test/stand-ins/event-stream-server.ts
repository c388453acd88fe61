/** A server that streams replies as servers of language models do: the frame that their stand-ins share. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  /** Resolves when the client hung up before the reply's end; never if it did not. */
  readonly hungUp: Promise<void>
}

export interface EventStreamServer {
  /** With the scheme, without a path. */
  readonly url: string
  /** Oldest first. */
  readonly requests: readonly ReceivedRequest[]
  /** Connections that were made, ever. */
  connections(): number
  /** Ends all that is under way. */
  close(): Promise<void>
}

export type AnswerRequest = (request: ReceivedRequest, response: ServerResponse) => Promise<void> | void

export const openEventStreamServer = async (answer: AnswerRequest): Promise<EventStreamServer> => {
  const requests: ReceivedRequest[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    // The list of models, which is asked for when a provider is added.
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'stand-in', object: 'model' }] }))
      return
    }
    const hungUp = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>
    const received = { path: request.url ?? '', headers: request.headers, body, hungUp }
    requests.push(received)
    await answer(received, response)
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** One reply in the events of a protocol, each a whole event with its empty line. */
export interface StreamedProtocol {
  /** The events before the first text. */
  readonly head: readonly string[]
  text(text: string): string
  /** The end of the reply, with its calls and its usage; undefined for a server that reports none. */
  tail(usage: Usage | undefined, calls?: readonly StreamedCall[]): readonly string[]
}

export interface StreamedCall {
  readonly id: string
  readonly name: string
  /** The arguments, in the parts in which they come: joined, they should be JSON. */
  readonly json: readonly string[]
}

export const beginEvents = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
}

/** Words with the space before them, as the tokens of models. */
export const tokensOf = (reply: string): string[] => reply.match(/\s*\S+|\s+$/g) ?? []
