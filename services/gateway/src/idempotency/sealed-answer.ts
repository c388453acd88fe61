/**
 * A response may contain a secret that is shown once and of which only a hash is stored, such as a token. So a stored response
 * is sealed, and can be read only with two things that the store does not have: a secret of the installation (the pepper of
 * API keys) and the `Idempotency-Key` of the client, of which the store has the hash.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Pepper, Peppers } from '@parlance/clients/api-key'
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
const encodeAnswer = ({ status, headers, body }: Answer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ status, headers })}\n`), body])

const decodeAnswer = (bytes: Buffer): Answer => {
  const end = bytes.indexOf('\n')
  return { ...headSchema.parse(JSON.parse(bytes.toString('utf8', 0, end))), body: bytes.subarray(end + 1) }
}

const algorithm = 'aes-256-gcm'
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]

export interface AnswerOwner {
  /** The caller: the id of a workspace, or an id for the holder of a token. */
  readonly scope: string
  readonly idempotencyKey: string
  /** The fingerprint of the request. A response that was sealed for another request cannot be unsealed. */
  readonly fingerprint: string
}

const secretKey = ({ secret }: Pepper, { scope, idempotencyKey }: AnswerOwner): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, scope, `parlance idempotency ${idempotencyKey}`, keyBytes))

/** In base64: the nonce, the tag, the sealed bytes. */
export const sealAnswer = ([current]: Peppers, owner: AnswerOwner, answer: Answer): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, secretKey(current, owner), nonce).setAAD(Buffer.from(owner.fingerprint))
  const sealed = Buffer.concat([cipher.update(encodeAnswer(answer)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

const openBytes = (pepper: Pepper, owner: AnswerOwner, bytes: Buffer): Buffer | undefined => {
  const decipher = createDecipheriv(algorithm, secretKey(pepper, owner), bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(owner.fingerprint))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}

/** Undefined when none of the peppers unseals it: the pepper with which it was sealed has been removed. */
export const openAnswer = (peppers: Peppers, owner: AnswerOwner, sealed: string): Answer | undefined => {
  const bytes = Buffer.from(sealed, 'base64')
  for (const pepper of peppers) {
    const opened = openBytes(pepper, owner, bytes)
    if (opened !== undefined) return decodeAnswer(opened)
  }
  return undefined
}
