/**
 * A response may contain a secret that is shown once and of which only a hash is stored, such as a token. So a stored response
 * is sealed, and can be read only with two things that the store does not have: a secret of the installation (the pepper of
 * API keys) and the `Idempotency-Key` of the client, of which the store has the hash.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Pepper, Peppers } from '@parlance/clients/api-key'
import { type Answer, decodeAnswer, encodeAnswer } from './answer.js'

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
