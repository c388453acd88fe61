import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type LocalServer, startLocalServer } from '../local-server.js'
import { createFaults, type Faults } from './faults.js'

/** All faults of servers of speech. Each stand-in has those that are possible in its protocol. */
export type SpeechFault =
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

export interface AskedSpeech {
  readonly text: string
  readonly model: string
  readonly voice: string
  readonly body: Record<string, unknown>
}

export interface SpeechStandIn
  extends Pick<Faults<SpeechFault>, 'misbehave'>,
    Pick<LocalServer, 'url' | 'openConnections' | 'allClosed' | 'close'> {
  /** What it has been asked to say, in order; each attempt counts. */
  readonly asked: AskedSpeech[]
  /** The most it was asked to say at the same time. */
  busiest(): number
  /** Whether it answers questions about itself. */
  setWell(well: boolean): void
  /** Resolves when the other side has given up that many utterances in all. */
  givenUp(count: number): Promise<void>
  /** How many requests came to where a redirect points. */
  strays(): number
}

/** What the protocols have in common, and the means to wait for what happens. */
export const createSpeechState = () => {
  const asked: AskedSpeech[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const faults = createFaults<SpeechFault>()
  let now = 0
  let busiest = 0
  let gaveUp = 0
  let well = true

  /** Records the request, and returns the fault with which it is to be answered, if any. */
  const begin = (request: AskedSpeech): SpeechFault | undefined => {
    asked.push(request)
    now++
    busiest = Math.max(busiest, now)
    return faults.next()
  }
  const noteGivenUp = () => {
    gaveUp++
    for (const { count, resolve } of waiting) if (gaveUp >= count) resolve()
  }

  return {
    asked,
    isWell: () => well,
    busy: () => now,
    begin,
    end: () => now--,
    noteGivenUp,
    /** The same for a request over HTTP, which ends with its response, and is given up when that does not end. */
    beginRequest(request: AskedSpeech, response: ServerResponse): SpeechFault | undefined {
      response.on('close', () => {
        now--
        if (!response.writableFinished) noteGivenUp()
      })
      return begin(request)
    },
    control: {
      asked,
      busiest: () => busiest,
      misbehave: faults.misbehave,
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

/** The server of a stand-in, which counts the requests that followed a redirect. A client may hang up before the answer. */
export const startServer = async (handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) => {
  let strays = 0
  const server = await startLocalServer((request, response) => {
    response.on('error', () => {})
    if (request.url === '/elsewhere') strays += 1
    handle(request, response).catch(() => response.destroy())
  })
  return { ...server, strays: () => strays }
}

/** Answers with a fault that is alike in every protocol over HTTP. False for another fault, or none. */
export const answerWithFault = async (
  how: SpeechFault | undefined,
  response: ServerResponse,
  serverUrl: string,
): Promise<boolean> => {
  if (how === 'answers with a web page')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>'.repeat(100))
  else if (how === 'compresses')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000, 7)))
  else if (how === 'redirects') response.writeHead(307, { location: `${serverUrl}/elsewhere` }).end()
  else if (how === 'stalls before the first byte') await stall(response)
  else if (how === 'closes before the first byte') response.destroy()
  else return false
  return true
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
