/** A server that streams replies as servers of language models do: the frame that their stand-ins share. */
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type LocalServer, sendJson, startLocalServer } from '../local-server.js'

export interface ReceivedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  /** Resolves when the client hung up before the reply's end; never if it did not. */
  readonly hungUp: Promise<void>
}

export interface EventStreamServer extends LocalServer {
  /** Oldest first. */
  readonly requests: readonly ReceivedRequest[]
}

export type AnswerRequest = (request: ReceivedRequest, response: ServerResponse) => Promise<void> | void

export const startEventStreamServer = async (answer: AnswerRequest): Promise<EventStreamServer> => {
  const requests: ReceivedRequest[] = []
  const server = await startLocalServer(async (request, response) => {
    // The list of models, which is asked for when a provider is added.
    if (request.method === 'GET')
      return sendJson(response, 200, { object: 'list', data: [{ id: 'stand-in', object: 'model' }] })
    const hungUp = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>
    const received = { path: request.url ?? '', headers: request.headers, body, hungUp }
    requests.push(received)
    return answer(received, response)
  })
  return { ...server, requests }
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
