import { createServerPool } from '../../src/nats/address.js'

const of = (url: string) => createServerPool(url).next()

test.each([
  ['nats://nats', { host: 'nats', port: 4222, secure: false, credentials: {} }],
  ['nats://10.0.0.1:14222', { host: '10.0.0.1', port: 14222, secure: false, credentials: {} }],
  ['nats://[::1]:4222', { host: '::1', port: 4222, secure: false, credentials: {} }],
  ['tls://nats.example', { host: 'nats.example', port: 4222, secure: true, credentials: {} }],
  ['nats://ada:p%40ss@n', { host: 'n', port: 4222, secure: false, credentials: { user: 'ada', pass: 'p@ss' } }],
  ['nats://t0ken@n', { host: 'n', port: 4222, secure: false, credentials: { auth_token: 't0ken' } }],
])('%s', (url, server) => {
  expect(of(url)).toEqual(server)
})

test('servers take turns, those that the cluster tells of too, with the same credentials', () => {
  const pool = createServerPool('nats://u:p@a:1, nats://u:p@b:2')
  pool.learn(['b:2', 'c:3'])
  const turns = Array.from({ length: 6 }, () => pool.next())
  expect(new Set(turns.map(({ host }) => host))).toEqual(new Set(['a', 'b', 'c']))
  expect(turns.every(({ credentials }) => 'user' in credentials && credentials.user === 'u')).toBe(true)
  pool.learn([])
  expect(new Set(Array.from({ length: 4 }, () => pool.next().host))).toEqual(new Set(['a', 'b']))
})
