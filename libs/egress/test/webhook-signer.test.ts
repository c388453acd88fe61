import { createPublicKey, verify } from 'node:crypto'
import { createWebhookSigner } from '../src/index.js'

const signer = createWebhookSigner(`whsk_${Buffer.alloc(32, 7).toString('base64')}`)

test('a signature over the id, the time and the body is verified with only the public key', () => {
  const now = new Date('2026-01-31T09:30:00.700Z')
  const headers = signer.sign('msg_1', now, '{"a":"ü"}')
  expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1769851800' })
  const x = Buffer.from(signer.publicKey.replace('whpk_', ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signature = Buffer.from(headers['webhook-signature']!.replace('v1a,', ''), 'base64')
  const isSigned = (text: string) => verify(null, Buffer.from(text), key, signature)
  expect(isSigned('msg_1.1769851800.{"a":"ü"}')).toBe(true)
  expect(isSigned('msg_1.1769851801.{"a":"ü"}')).toBe(false)
  expect(isSigned('msg_2.1769851800.{"a":"ü"}')).toBe(false)
})

describe('the key of an installation', () => {
  test('may be a seed, or a seed with its public key', () => {
    const seed = Buffer.alloc(32, 7)
    const whole = Buffer.concat([seed, Buffer.from(signer.publicKey.slice(5), 'base64')])
    expect(createWebhookSigner(`whsk_${whole.toString('base64')}`).publicKey).toBe(signer.publicKey)
    const wrong = Buffer.concat([seed, Buffer.alloc(32)])
    expect(() => createWebhookSigner(`whsk_${wrong.toString('base64')}`)).toThrow('both halves')
  })

  test.each(['', 'whsk_', 'whsec_AAAA', `whsk_${Buffer.alloc(31).toString('base64')}`, `whsk_${'!'.repeat(44)}`])(
    'cannot be %j, and the error does not quote it',
    (secret) => {
      expect(() => createWebhookSigner(secret)).toThrow(/^must be "whsk_" followed by 32 random bytes in base64$/)
    },
  )
})
