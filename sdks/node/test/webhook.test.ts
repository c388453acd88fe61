import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { verifySignature, verifyWebhook, WebhookVerificationError } from '@parlance/server'

const secret = `whsec_${Buffer.from('a secret of a test').toString('base64')}`
const body = JSON.stringify({ type: 'credit.exhausted', timestamp: '2026-01-01T00:00:00.000Z', data: { balance: '0' } })

const signed = (at = Date.now(), content = body) => {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', 'a secret of a test').update(`e-1.${timestamp}.${content}`).digest('base64')
  return { 'webhook-id': 'e-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA v1,${signature}` }
}

test('a signed event is returned, whether its headers are those of Node or of fetch', () => {
  expect(verifyWebhook({ body, headers: signed(), secret })).toMatchObject({ type: 'credit.exhausted' })
  const request = { body: Buffer.from(body), headers: new Headers(signed()), secret }
  expect(verifyWebhook(request)).toMatchObject({ data: { balance: '0' } })
})

test.each([
  ['another body', { body: `${body} `, headers: signed(), secret }],
  ['another secret', { body, headers: signed(), secret: 'whsec_AAAA' }],
  ['an old signature', { body, headers: signed(Date.now() - 600_000), secret }],
  ['a time that is no number', { body, headers: { ...signed(), 'webhook-timestamp': 'x' }, secret }],
  ['no headers', { body, headers: {}, secret }],
])('a request with %s is refused', (_name, request) => {
  expect(() => verifyWebhook(request)).toThrow(WebhookVerificationError)
})

test('the call of a tool is verified with the public key of the installation', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(null, Buffer.from(`t-1.${timestamp}.{}`), privateKey).toString('base64')
  const headers = { 'webhook-id': 't-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` }
  verifySignature({ body: '{}', headers, secret: key })
  expect(() => verifySignature({ body: '{"a":1}', headers, secret: key })).toThrow(WebhookVerificationError)
})
