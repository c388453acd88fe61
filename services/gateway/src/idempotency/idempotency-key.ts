import { createHash } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import type { AnswerOwner } from './sealed-answer.js'

/** Printable ASCII without spaces around it, which HTTP removes. */
export const idempotencyKeyPattern = /^[!-~]([ -~]{0,253}[!-~])?$/

/** The `Idempotency-Key` of a request. Throws `invalid_request` for a malformed one. */
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

/**
 * The key of the record in the store. It contains a hash, since the `Idempotency-Key` itself unseals the response: see
 * `sealed-answer.ts`.
 */
export const recordKeyOf = ({ scope, idempotencyKey }: AnswerOwner): string =>
  `idempotency:${scope}:${sha256(idempotencyKey)}`

/** Equal for requests with the same method, path and content of the body. */
export const fingerprintOf = (req: Request, content: Uint8Array): string =>
  sha256(`${req.method} ${req.originalUrl}\n`, content)
