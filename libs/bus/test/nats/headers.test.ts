import { decodeHeaders, encodeHeaders } from '../../src/nats/headers.js'

test('headers come back under lower-case names, whatever their values hold', () => {
  const headers = { 'X-Request-Id': 'a: b', empty: '', name: 'Žofie' }
  expect(decodeHeaders(encodeHeaders(headers)).headers).toEqual({ 'x-request-id': 'a: b', empty: '', name: 'Žofie' })
})

test('what would be read as another header is not sent', () => {
  expect(() => encodeHeaders({ a: 'b\r\nc: d' })).toThrow(RangeError)
  expect(() => encodeHeaders({ 'a\n': 'b' })).toThrow(RangeError)
})

test('what the server says itself is its status', () => {
  expect(decodeHeaders(Buffer.from('NATS/1.0 503\r\n\r\n'))).toEqual({ headers: {}, status: 503 })
  expect(decodeHeaders(Buffer.from('NATS/1.0 100 Idle Heartbeat\r\nA: b\r\n\r\n'))).toEqual({
    headers: { a: 'b' },
    status: 100,
  })
  expect(decodeHeaders(encodeHeaders({ a: 'b' })).status).toBeUndefined()
})
