import { connect } from 'node:net'
import { openGateway } from './open-gateway.js'
import { connectStream, type StreamClient } from './stream-client.js'
import { createGate, end, errorOf, gateway, open, ready, start, text, useGateway } from './stream-scene.js'

useGateway()

describe('a connection', () => {
  test.each([
    ['the subprotocol', 'awtt_any', {}],
    ['the Authorization header', '', { headers: { authorization: 'Bearer awtt_any' } }],
    ['the query', '', { query: '?token=awtt_any' }],
  ])('accepts its token from %s, and echoes only the subprotocol', async (_where, token, options) => {
    const client = await ready(token, options)
    expect(client.socket.protocol).toBe('awp.tts.v1')
    expect(client.of('ready')[0]).toMatchObject({ limits: { contexts: 10, inactivity_timeout_seconds: 60 } })
    expect(JSON.stringify(gateway.lines)).not.toContain('awtt_any')
  })

  test('with an invalid token is opened, sent an error, and closed', async () => {
    for (const token of ['awtt_used', '', 'awst_good']) {
      const client = open(token)
      const { code } = await client.closed
      expect([code, client.messages.map(errorOf)]).toEqual([4401, [['stream_token_invalid', undefined]]])
    }
  })

  test('of a workspace without credit, suspended or without the capability is closed with the code for that', async () => {
    const cases = [
      ['insufficient_credit', 4402],
      ['organization_suspended', 4403],
      ['capability_disabled', 4403],
    ] as const
    for (const [failure, expected] of cases) {
      gateway.fakes.admission = failure
      const client = open()
      const { code } = await client.closed
      expect([code, client.messages.map(errorOf)]).toEqual([expected, [[failure, undefined]]])
    }
  })

  test('of a workspace beyond its rate limit is closed with 4429', async () => {
    const strict = await openGateway({ perMinute: 1 })
    const [first, second] = [connectStream(strict.url, 'awtt_any'), connectStream(strict.url, 'awtt_any')]
    const codes = await Promise.race([first.closed, second.closed])
    expect(codes.code).toBe(4429)
    for (const { socket } of [first, second]) socket.terminate()
    await strict.close()
  })

  const refusalOf = async (client: StreamClient): Promise<{ status: number; code: string; retryAfter: unknown }> =>
    new Promise((resolve, reject) => {
      client.socket.once('open', () => reject(new Error('it was opened')))
      client.socket.once('unexpected-response', (_req, res) => {
        let body = ''
        res.on('data', (part) => {
          body += part
        })
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            code: JSON.parse(body).code,
            retryAfter: res.headers['retry-after'],
          }),
        )
      })
    })

  test('that cannot be served is refused before it is opened, with the time to wait', async () => {
    const refused = { status: 503, retryAfter: expect.stringMatching(/^\d+$/) }
    expect(await refusalOf(open('awtt_down'))).toMatchObject({ ...refused, code: 'unavailable' })
    const small = await openGateway({ maxStreams: 1 })
    const first = connectStream(small.url, 'awtt_any')
    await first.next('ready')
    expect(await refusalOf(connectStream(small.url, 'awtt_any'))).toMatchObject({
      ...refused,
      code: 'capacity_exhausted',
    })
    first.socket.terminate()
    await small.close()
  })

  test('with an invalid inactivity timeout or without the subprotocol is a plain bad request', async () => {
    for (const query of ['?inactivity_timeout=4', '?inactivity_timeout=181', '?inactivity_timeout=soon']) {
      expect(await refusalOf(open('awtt_any', { query }))).toMatchObject({ status: 400, code: 'invalid_request' })
    }
    const plain = await fetch(`${gateway.url}/v1/tts/stream`)
    expect(plain.status).toBe(400)
    // Upgrades that some HTTP clients offer with every request are not WebSockets, and may be ignored.
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n')
    const [first] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).toString().split('\r\n')
    expect(first).toBe('HTTP/1.1 200 OK')
    socket.destroy()
  })

  test('ends when the client closes it, even with open contexts', async () => {
    const client = await ready()
    client.send(start)
    client.send(text('A sentence that is being spoken. '))
    client.send({ event: 'close' })
    expect((await client.closed).code).toBe(1000)
  })

  test('is sent an error when the server stops, finishes the open contexts, and is closed', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const [idle, busy] = [await ready(), await ready()]
    idle.send(start)
    idle.send(end)
    await idle.next('done')
    busy.send(start)
    busy.send(text('One sentence.'))
    busy.send(end)
    await busy.next('audio')
    const stopped = gateway.streams.stop(5_000)
    expect(await idle.next('draining')).toMatchObject({ deadline_ms: 5_000 })
    expect((await idle.closed).code).toBe(1001)
    await busy.next('draining')
    busy.send({ ...start, context_id: 'late' })
    expect(errorOf(await busy.next('error'))).toEqual(['draining', 'late'])
    expect(await refusalOf(open())).toMatchObject({ status: 503, code: 'draining' })
    gate.letGo()
    await busy.next('done')
    expect((await busy.closed).code).toBe(1001)
    await stopped
  })

  test('speaks its first context even when the server stops before the client has sent it', async () => {
    const [speaking, silent] = [await ready(), await ready()]
    const stopped = gateway.streams.stop(1_000)
    await speaking.next('draining')
    speaking.send(start)
    speaking.send(text('One sentence.'))
    speaking.send(end)
    await speaking.next('done')
    expect((await speaking.closed).code).toBe(1001)
    expect((await silent.closed).code).toBe(1001)
    await stopped
  })

  test.each([
    ['no JSON', '{"event":', 'invalid_json', undefined],
    ['no object', '[]', 'invalid_request', undefined],
    ['an unknown event', { event: 'sing', context_id: 'a' }, 'invalid_request', 'a'],
    ['an unknown field', { ...start, color: 'red' }, 'invalid_request', undefined],
    ['no voice', { event: 'start' }, 'invalid_request', 'default'],
    ['a format of a file', { ...start, output: { format: 'mp3' } }, 'unsupported_format', 'default'],
    [
      'an unsupported rate',
      { ...start, output: { format: 'ulaw', sample_rate: 9_000 } },
      'unsupported_format',
      'default',
    ],
    ['an id too long', { ...start, context_id: 'x'.repeat(65) }, 'invalid_request', undefined],
    ['text without a context', text('Hello.', 'b'), 'invalid_request', 'b'],
    ['an end without a context', end, 'invalid_request', 'default'],
  ])('continues after a message with %s', async (_what, message, code, contextId) => {
    const client = await ready()
    client.send(message)
    expect(errorOf(await client.next('error'))).toEqual([code, contextId])
    client.send(start)
    await client.next('started')
  })

  test('continues after a binary message, but not after one that is too large', async () => {
    const client = await ready()
    client.socket.send(Buffer.from('{"event":"keepalive"}'))
    expect(errorOf(await client.next('error'))).toEqual(['invalid_request', undefined])
    client.send(JSON.stringify({ event: 'keepalive', padding: 'x'.repeat(65 * 1024) }))
    expect((await client.closed).code).toBe(1009)
  })

  test('that sends more than 200 messages in a second is sent an error and closed with 4429', async () => {
    const client = await ready()
    for (let n = 0; n < 600; n++) client.send({ event: 'keepalive' })
    expect((await client.closed).code).toBe(4429)
    expect(errorOf(client.messages.at(-1)!)).toEqual(['rate_limited', undefined])
  })
})
