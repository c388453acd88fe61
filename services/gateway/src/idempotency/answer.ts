import type { Request, Response } from 'express'
import { z } from 'zod'
import { guardHeaders } from '../http/json-response.js'

/** A response that can be replayed. It has no headers that belong to one request, such as its id. */
export interface Answer {
  readonly status: number
  /** A flat array. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const repeatedHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'location',
  'etag',
  'cache-control',
  'x-characters-billed',
  'x-seconds-billed',
  'x-audio-sample-rate',
  'x-parlance-ignored',
])

/** Returns the headers of a flat array that a replay also has. */
export const headersToRepeat = (headers: readonly string[]): string[] => {
  const kept: string[] = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (repeatedHeaders.has(name.toLowerCase())) kept.push(name, headers[i + 1] as string)
  }
  return kept
}

export const replay = (req: Request, res: Response, { status, headers, body }: Answer): void => {
  const all = [...headers, 'x-request-id', req.id, 'idempotency-replayed', 'true', ...guardHeaders]
  if (status !== 204) all.push('content-length', String(body.length))
  res.writeHead(status, all)
  res.end(body)
}

const headSchema = z.object({ status: z.int(), headers: z.array(z.string()) })

/** A line of JSON, then the bytes of the body. */
export const encodeAnswer = ({ status, headers, body }: Answer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ status, headers })}\n`), body])

export const decodeAnswer = (bytes: Buffer): Answer => {
  const end = bytes.indexOf('\n')
  return { ...headSchema.parse(JSON.parse(bytes.toString('utf8', 0, end))), body: bytes.subarray(end + 1) }
}
