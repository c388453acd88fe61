import { localPath } from '../../src/session/sign-in-again.js'

const own = 'https://speech.example.com'

test.each([
  [undefined, '/'],
  ['/keys', '/keys'],
  ['/conversations?status=failed', '/conversations?status=failed'],
  [`${own}/agents`, '/agents'],
  ['agents', '/agents'],
])('after a sign-in, %s leads to %s', (next, path) => {
  expect(localPath(next, own)).toBe(path)
})

test.each([
  'https://evil.example/x',
  '//evil.example/x',
  '\\\\evil.example/x',
  '/\\evil.example/x',
  '/.//evil.example/x',
  '/..//evil.example/x',
  '/./\\evil.example/x',
  `${own}//evil.example/x`,
  '\t//evil.example/x',
  'javascript:alert(1)',
  'data:text/html,x',
])('after a sign-in, %s leads to no other site', (next) => {
  expect(localPath(next, own)).toBe('/')
})
