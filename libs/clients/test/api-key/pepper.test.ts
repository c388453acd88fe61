import { apiKeyEnv, digestApiKey, parsePeppers } from '@parlance/clients/api-key'

const one = 'a'.repeat(16)
const two = 'bm90IGEgc2VjcmV0IQ=='

test('the pepper of the highest version is the current one, wherever it stands', () => {
  const expected = [
    { version: 12, secret: two },
    { version: 3, secret: one },
  ]
  expect(parsePeppers(`3:${one},12:${two}`)).toEqual(expected)
  expect(parsePeppers(` 12:${two} , 3:${one} `)).toEqual(expected)
})

test.each([
  '',
  'secret-without-version',
  '0:aaaaaaaaaaaaaaaa',
  '1:short',
  `1:${one},1:${two}`,
  `1:${one},`,
  `1:${one} ${two}`,
])('peppers given as "%s" are refused without repeating them', (text) => {
  expect(() => parsePeppers(text)).toThrow(/^Peppers must be given as/)
  const parsed = apiKeyEnv.safeParse({ API_KEY_PEPPERS: text })
  expect(parsed.success).toBe(false)
  if (text) expect(parsed.error?.message).not.toContain(text)
})

test('keys are for production by default', () => {
  expect(apiKeyEnv.parse({ API_KEY_PEPPERS: `1:${one}` }).API_KEY_ENVIRONMENT).toBe('prd')
  expect(apiKeyEnv.safeParse({ API_KEY_PEPPERS: `1:${one}`, API_KEY_ENVIRONMENT: 'test' }).success).toBe(false)
})

test('a digest is HMAC-SHA-256 in hex', () => {
  expect(digestApiKey('what do ya want for nothing?', { version: 7, secret: 'Jefe' })).toEqual({
    pepper_version: 7,
    digest: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  })
})
