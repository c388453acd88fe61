import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { components } from './openapi.js'

export type WebhookEvent = components['schemas']['WebhookEvent']

export interface SignedRequest {
  /** The body as it came, before any JSON parser. */
  readonly body: string | Uint8Array
  readonly headers: IncomingHttpHeaders | Headers
  /** The `secret` of a webhook (`whsec_…`), or the public key of an installation, which signs the calls of tools (`whpk_…`). */
  readonly secret: string
  /** How far the time of the request may be from the present, in seconds. Default: 300. */
  readonly toleranceSeconds?: number
}

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** Throws `WebhookVerificationError` unless the request has a valid signature by Standard Webhooks and is fresh. */
export const verifySignature = ({ body, headers, secret, toleranceSeconds = 300 }: SignedRequest): void => {
  const headerOf = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string') throw new WebhookVerificationError(`The header ${name} is missing.`)
    return value
  }
  const id = headerOf('webhook-id')
  const timestamp = headerOf('webhook-timestamp')
  const signatures = headerOf('webhook-signature').split(' ')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError('The request is too old or too new.')
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body as Uint8Array)])
  const isValid = secret.startsWith('whpk_') ? verifierByKey(secret) : verifierBySecret(secret)
  if (!signatures.some((signature) => isValid(signature, signed))) {
    throw new WebhookVerificationError('No signature of the request is valid.')
  }
}

const verifierBySecret = (secret: string) => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return (signature: string, signed: Buffer): boolean => {
    const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    const actual = Buffer.from(signature)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }
}

const verifierByKey = (publicKey: string) => {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return (signature: string, signed: Buffer): boolean =>
    signature.startsWith('v1a,') && verify(null, signed, key, Buffer.from(signature.slice('v1a,'.length), 'base64'))
}

/** The event of a request to a webhook. Throws `WebhookVerificationError` unless the request is signed and fresh. */
export const verifyWebhook = (request: SignedRequest): WebhookEvent => {
  verifySignature(request)
  return JSON.parse(Buffer.from(request.body as Uint8Array).toString('utf8')) as WebhookEvent
}
