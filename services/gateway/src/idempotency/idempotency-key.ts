import { createHash } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import type { AnswerOwner } from './sealed-answer.js'

/** What a header's value can be: HTTP takes off the spaces around it. */
export const idempotencyKeyPattern = /^[!-~]([ -~]{0,253}[!-~])?$/

/** What the caller calls this request by. */
export const idempotencyKeyOf = (req: Request): string => {
  const key = req.headers['idempotency-key']
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key
  throw new ServiceError('invalid_request', 'Idempotency-Key: must be 1 to 255 printable ASCII characters.')
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** Where the store keeps what is known of a key. The key itself is in no way a part of it: see `sealed-answer.ts`. */
export const placeOf = ({ scope, idempotencyKey }: AnswerOwner): string =>
  `idempotency:${scope}:${sha256(idempotencyKey)}`

/** Two requests with the same one ask for the same thing: of the same method and path, with the same bytes as body. */
export const fingerprintOf = (req: Request, body: Uint8Array): string =>
  sha256(`${req.method} ${req.originalUrl}\n`, body)
