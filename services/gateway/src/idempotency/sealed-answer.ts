/**
 * Answers may hold secrets that are shown once and of which nothing but a hash is kept anywhere, such as tokens. What is
 * kept of an answer can therefore only be read with two things that the store does not have: a secret of the
 * installation (the pepper of API keys) and the caller's own `Idempotency-Key`, of which the store knows the hash.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Pepper, Peppers } from '@parlance/clients/api-key'
import { type Answer, decodeAnswer, encodeAnswer } from './answer.js'

const algorithm = 'aes-256-gcm'
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]

export interface AnswerOwner {
  /** Who calls: the id of a workspace, or what stands for the holder of a token. */
  readonly scope: string
  readonly idempotencyKey: string
  /** Of the request. An answer that was sealed for another does not open. */
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

/** Undefined when none of the peppers opens it: the one it was sealed with has been retired. */
export const openAnswer = (peppers: Peppers, owner: AnswerOwner, sealed: string): Answer | undefined => {
  const bytes = Buffer.from(sealed, 'base64')
  for (const pepper of peppers) {
    const opened = openBytes(pepper, owner, bytes)
    if (opened !== undefined) return decodeAnswer(opened)
  }
  return undefined
}
