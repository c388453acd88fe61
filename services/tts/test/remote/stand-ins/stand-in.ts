import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** All faults of servers. Each stand-in has those that are possible in its protocol. */
export type Misbehavior =
  | 'answers with a web page'
  | 'compresses'
  | 'stalls before the first byte'
  | 'stalls in the middle'
  | 'ends within a sample'
  | 'sends half a group of Base64'
  | 'sends half a line of JSON'
  | 'sends what is not JSON'
  | 'sends JSON without an end'
  | 'sends JSON of another shape'
  | 'redirects'
  | 'floods'
  | 'dawdles'
  | 'closes before the first byte'
  | 'closes in the middle'
  | 'ends before its end'
  | 'sends nothing and ends'
  | 'sends half a frame'
  | 'sends bytes for text'
  | 'sends another rate'
  | 'sends a WAV unasked'
  | 'answers with an error'
  | 'has no room'
  | 'takes no key'
  | 'has used up its quota'

export const key = 'sk-the-secret-that-must-not-be-seen'

export interface Asked {
  readonly text: string
  readonly model: string
  readonly voice: string
  readonly body: Record<string, unknown>
}

export interface StandIn {
  /** Without a path. */
  readonly url: string
  /** What it has been asked to say, in order; each attempt counts. */
  readonly asked: Asked[]
  /** The most it was asked to say at the same time. */
  busiest(): number
  /** The next so many utterances, or all from now on, go wrong; undefined ends that. */
  misbehave(how: Misbehavior | undefined, times?: number): void
  /** Whether it answers questions about itself. */
  setWell(well: boolean): void
  /** Resolves when the other side has given up that many utterances in all. */
  givenUp(count: number): Promise<void>
  /** How many connections are open. */
  connections(): number
  /** Resolves when none is. */
  deserted(): Promise<void>
  /** How many requests came to where a redirect points. */
  strays(): number
  close(): Promise<void>
}

/** What the protocols have in common, and the means to wait for what happens. */
export const createStandInState = () => {
  const asked: Asked[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let how: Misbehavior | undefined
  let left = 0
  let now = 0
  let busiest = 0
  let gaveUp = 0
  let well = true

  return {
    asked,
    isWell: () => well,
    busy: () => now,
    /** Records the request, and returns the fault with which it is to be answered, if any. */
    begin(request: Asked): Misbehavior | undefined {
      asked.push(request)
      now++
      busiest = Math.max(busiest, now)
      if (left <= 0) return undefined
      left--
      return how
    },
    end: () => now--,
    noteGivenUp() {
      gaveUp++
      for (const { count, resolve } of waiting) if (gaveUp >= count) resolve()
    },
    control: {
      asked,
      busiest: () => busiest,
      misbehave(next: Misbehavior | undefined, times = Number.POSITIVE_INFINITY) {
        how = next
        left = next === undefined ? 0 : times
      },
      setWell(value: boolean) {
        well = value
      },
      givenUp: (count: number) =>
        new Promise<void>((resolve) => {
          if (gaveUp >= count) resolve()
          else waiting.push({ count, resolve })
        }),
    },
  }
}

export type StandInState = ReturnType<typeof createStandInState>

export interface Listening {
  readonly server: Server
  readonly url: string
  connections(): number
  deserted(): Promise<void>
  strays(): number
  close(): Promise<void>
}

/** On a free port of this machine; closing it ends every connection. */
export const listen = async (
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening> => {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let strays = 0
  const server = createServer((request, response) => {
    response.on('error', () => {})
    if (request.url === '/elsewhere') strays++
    handle(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    deserted: () =>
      new Promise<void>((resolve) => {
        if (sockets.size === 0) resolve()
        else waiting.push(resolve)
      }),
    strays: () => strays,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const readJson = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>
}

export const answerJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export const answerPage = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>'.repeat(100))
}

export const answerCompressed = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000, 7)))
}

export const redirect = (response: ServerResponse, to: string): void => {
  response.writeHead(307, { location: to }).end()
}

/** Writes unless the other side has gone; slow readers hold it up. */
export const write = async (response: ServerResponse, bytes: string | Uint8Array): Promise<void> => {
  if (response.destroyed) throw new Error('the other side has gone')
  if (!response.write(bytes)) {
    await new Promise<void>((resolve) => {
      const go = () => {
        response.off('drain', go).off('close', go)
        resolve()
      }
      response.on('drain', go).on('close', go)
    })
  }
  await new Promise(setImmediate)
}

/** Never, until the other side has gone. */
export const stall = async (response: ServerResponse): Promise<void> => {
  if (!response.destroyed) await once(response, 'close')
}

/** Between two pieces of audio, for a server that is slow but steady. */
export const dawdleMs = 40
