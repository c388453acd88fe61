import { relyingPartyOf } from '../../src/people/identity-provider.js'

test.each([
  ['https://speech.example.com', 'speech.example.com'],
  ['https://speech.example.com:8443', 'speech.example.com'],
  ['http://localhost:8080', 'localhost'],
  ['http://speech.example.com', undefined],
  ['http://127.0.0.1:8080', undefined],
  ['https://10.0.0.1', undefined],
  ['https://[::1]:8080', undefined],
  [undefined, undefined],
])('the passkeys of %s belong to %s', (publicUrl, name) => {
  expect(relyingPartyOf(publicUrl)).toBe(name)
})
