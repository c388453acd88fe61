import { once } from 'node:events'
import { connect } from 'node:net'
import type { StreamServerMessage, SynthesisRequest } from '@parlance/contracts'
import { cutText } from '@parlance/speech'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { charactersPaid, chunksOf, spoken } from './spoken-words.js'
import { connectStream, type StreamClient } from './stream-client.js'

let gateway: OpenGateway
const clients: StreamClient[] = []
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await gateway.close()
})

const open = (token = 'awtt_any', options?: Parameters<typeof connectStream>[2]) => {
  const client = connectStream(gateway.url, token, options)
  clients.push(client)
  return client
}
const ready = async (token?: string, options?: Parameters<typeof connectStream>[2]) => {
  const client = open(token, options)
  await client.next('ready')
  return client
}
const start = { event: 'start', voice_id: voiceId }
const text = (words: string, context_id?: string) => ({ event: 'text', text: words, ...(context_id && { context_id }) })
const end = { event: 'end' }

/** Speaks a segment when it is let go. */
const createGate = () => {
  const asked: string[] = []
  let wake = () => {}
  let open = 0
  return {
    asked,
    letGo(count = 1) {
      open += count
      wake()
    },
    async *synthesize(request: SynthesisRequest, { signal }: { signal: AbortSignal }) {
      asked.push(request.text)
      const [started, first, ...rest] = chunksOf(request)
      yield started!
      yield first!
      while (open === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      open -= 1
      yield* rest
    },
  }
}

beforeEach(() => {
  gateway.fakes.synthesize = (request) => spoken(request)
})

const paidCharacters = () => charactersPaid(gateway.reserver)

const errorOf = (message: StreamServerMessage) => (message.event === 'error' ? [message.code, message.context_id] : [])

describe('a connection', () => {
  test.each([
    ['the subprotocol', 'awtt_any', {}],
    ['the Authorization header', '', { headers: { authorization: 'Bearer awtt_any' } }],
    ['the query', '', { query: '?token=awtt_any' }],
  ])('takes its token from %s, and echoes the subprotocol alone', async (_where, token, options) => {
    const client = await ready(token, options)
    expect(client.socket.protocol).toBe('awp.tts.v1')
    expect(client.of('ready')[0]).toMatchObject({ limits: { contexts: 10, inactivity_timeout_seconds: 60 } })
    expect(JSON.stringify(gateway.lines)).not.toContain('awtt_any')
  })

  test('with a token that is not good is opened, told so, and closed', async () => {
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

  test('of a workspace that asks too often is closed with 4429', async () => {
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

  test('with a wrong idle time, or none of the protocol’s, is a plain bad request', async () => {
    for (const query of ['?inactivity_timeout=4', '?inactivity_timeout=181', '?inactivity_timeout=soon']) {
      expect(await refusalOf(open('awtt_any', { query }))).toMatchObject({ status: 400, code: 'invalid_request' })
    }
    const plain = await fetch(`${gateway.url}/v1/tts/stream`)
    expect(plain.status).toBe(400)
    // What some HTTP clients offer with every request is not a WebSocket, and may be ignored.
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n')
    const [first] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).toString().split('\r\n')
    expect(first).toBe('HTTP/1.1 200 OK')
    socket.destroy()
  })

  test('ends when it is asked to, whatever runs', async () => {
    const client = await ready()
    client.send(start)
    client.send(text('A sentence that is being spoken. '))
    client.send({ event: 'close' })
    expect((await client.closed).code).toBe(1000)
  })

  test('is told when the server stops, finishes what it speaks, and is closed', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const [idle, busy] = [await ready(), await ready()]
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

  test.each([
    ['no JSON', '{"event":', 'invalid_json', undefined],
    ['no object', '[]', 'invalid_request', undefined],
    ['an unknown event', { event: 'sing', context_id: 'a' }, 'invalid_request', 'a'],
    ['an unknown field', { ...start, colour: 'red' }, 'invalid_request', undefined],
    ['no voice', { event: 'start' }, 'invalid_request', 'default'],
    ['a format with a file around it', { ...start, output: { format: 'mp3' } }, 'unsupported_format', 'default'],
    [
      'a rate there is not',
      { ...start, output: { format: 'ulaw', sample_rate: 9_000 } },
      'unsupported_format',
      'default',
    ],
    ['an id too long', { ...start, context_id: 'x'.repeat(65) }, 'invalid_request', undefined],
    ['text without a context', text('Hello.', 'b'), 'invalid_request', 'b'],
    ['an end without a context', end, 'invalid_request', 'default'],
  ])('goes on after a message with %s', async (_what, message, code, contextId) => {
    const client = await ready()
    client.send(message)
    expect(errorOf(await client.next('error'))).toEqual([code, contextId])
    client.send(start)
    await client.next('started')
  })

  test('goes on after a binary message, but not after one that is too large', async () => {
    const client = await ready()
    client.socket.send(Buffer.from('{"event":"keepalive"}'))
    expect(errorOf(await client.next('error'))).toEqual(['invalid_request', undefined])
    client.send(JSON.stringify({ event: 'keepalive', padding: 'x'.repeat(65 * 1024) }))
    expect((await client.closed).code).toBe(1009)
  })

  test('that sends more than 200 messages in a second is told so and closed with 4429', async () => {
    const client = await ready()
    for (let n = 0; n < 600; n++) client.send({ event: 'keepalive' })
    expect((await client.closed).code).toBe(4429)
    expect(errorOf(client.messages.at(-1)!)).toEqual(['rate_limited', undefined])
  })
})

describe('a context', () => {
  test('speaks text that comes in pieces, on one clock, and says what it cost', async () => {
    const client = await ready()
    client.send({ ...start, alignment: ['word'] })
    expect(await client.next('started')).toMatchObject({ context_id: 'default', context_index: 1 })
    for (const piece of ['Hel', 'lo the', 're. How are', ' you to', 'day? Fine.']) client.send(text(piece))
    client.send(end)
    const done = await client.next('done')
    const whole = 'Hello there. How are you today? Fine.'
    expect(client.audioOf().toString().trim()).toBe(whole)
    expect(done).toMatchObject({ characters_billed: whole.length, audio_duration_ms: 700 })
    expect(client.of('audio').map(({ seq, start_ms }) => [seq, start_ms])).toEqual(
      Array.from({ length: 7 }, (_, n) => [n, n * 100]),
    )
    expect(
      client
        .of('alignment')
        .flatMap(({ words }) => words.map(({ text }) => text))
        .join(' '),
    ).toBe(whole)
    expect(client.of('alignment').at(-1)!.words.at(-1)).toMatchObject({ start_ms: 600, end_ms: 700 })
    expect(await paidCharacters()).toBe(whole.length)
  })

  test('sends binary frames where they are asked for', async () => {
    const client = await ready()
    client.send({ ...start, context_id: 'first' })
    client.send({ ...start, context_id: 'second', audio_frames: 'binary', output: { format: 'ulaw' } })
    client.send(text('Two words.', 'second'))
    client.send({ event: 'end', context_id: 'second' })
    await client.next('done', 'second')
    expect(client.of('audio', 'second')).toEqual([])
    const frames = client.frames.map((frame) => ({
      header: [
        frame.readUInt8(0),
        frame.readUInt8(1),
        frame.readUInt16BE(2),
        frame.readUInt32BE(4),
        frame.readUInt32BE(8),
      ],
      audio: frame.subarray(12).toString(),
    }))
    expect(frames).toEqual([
      { header: [1, 1, 2, 0, 0], audio: 'Two ' },
      { header: [1, 1, 2, 1, 100], audio: 'words. ' },
    ])
  })

  test('half of a character that comes in each of two messages is spoken whole', async () => {
    const client = await ready()
    client.send(start)
    client.send('{"event":"text","text":"A smile \\ud83d"}')
    client.send('{"event":"text","text":"\\ude00 here."}')
    client.send(end)
    await client.next('done')
    expect(client.audioOf().toString()).toBe('A smile 😀 here. ')
  })

  test('asks for its first audio as a stream, and for what follows as the continuation of one', async () => {
    const purposes: unknown[] = []
    gateway.fakes.synthesize = (request) => {
      purposes.push(request.purpose)
      return spoken(request)
    }
    const client = await ready()
    client.send(start)
    for (const words of ['One.', 'Two.', 'Three.']) {
      client.send(text(words))
      client.send({ event: 'flush', flush_id: words })
      await client.find(() => client.of('flushed').find(({ flush_id }) => flush_id === words))
    }
    expect(purposes).toEqual(['stream', 'continuation', 'continuation'])
  })

  test('tells that it was flushed when all until then was sent', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send(start)
    client.send({ event: 'flush', flush_id: 'nothing' })
    await client.next('flushed')
    client.send(text('no end in sight'))
    client.send({ event: 'flush', flush_id: 'f1' })
    await client.next('audio')
    expect(client.of('flushed')).toHaveLength(1)
    gate.letGo()
    expect(await client.next('flushed', 'default', 1)).toMatchObject({ flush_id: 'f1' })
    expect(client.audioOf().toString()).toBe('no end in sight ')
    expect(client.of('done')).toEqual([])
  })

  test('speaks what nobody ends or flushes after a while', async () => {
    const client = await ready()
    client.send(start)
    client.send(text('and then'))
    await client.next('audio')
    client.send({ ...start, context_id: 'verbatim', buffering: { mode: 'none' } })
    client.send(text('as given', 'verbatim'))
    await client.next('audio', 'verbatim')
  })

  test('that is cancelled falls silent at once, says what was played, and costs what was sent', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send({ ...start, context_id: 'turn-7' })
    client.send(text('The first is over. The second is not, and', 'turn-7'))
    gate.letGo()
    await client.next('audio', 'turn-7', 4)
    client.send({ event: 'cancel', context_id: 'turn-7', played_ms: 200 })
    expect(await client.next('cancelled')).toEqual({
      event: 'cancelled',
      context_id: 'turn-7',
      characters_billed: 'The first is over. The second'.length,
      text_spoken: 'The first',
      text_remaining: ' is over. The second is not, and',
    })
    const sent = client.messages.length
    client.send({ ...start, context_id: 'turn-7' })
    expect(await client.next('started', 'turn-7', 1)).toMatchObject({ context_index: 2 })
    expect(client.messages.slice(sent).filter(({ event }) => event === 'audio')).toEqual([])
    expect(await paidCharacters()).toBe('The first is over. The second'.length)
  })

  test('asks at once for sentences that come at once, and when it is cancelled pays for those that were sent, and up to a word', async () => {
    const asked: SynthesisRequest[] = []
    gateway.fakes.synthesize = async function* (request, { signal }) {
      asked.push(request)
      for (const chunk of chunksOf(request)) {
        yield chunk
        // The first word of the third sentence is on its way, and no more.
        if (chunk.event === 'audio' && chunk.segment === 2) return void (await once(signal, 'abort'))
      }
    }
    const client = await ready()
    client.send({ ...start, context_id: 'turn-8', alignment: ['word'] })
    client.send(text('All of this is sent. So is this. Half of this is, and none of that. Nor of that.', 'turn-8'))
    await client.next('audio', 'turn-8', 8)
    client.send({ event: 'cancel', context_id: 'turn-8' })
    const { characters_billed } = await client.next('cancelled', 'turn-8')
    expect(characters_billed).toBe('All of this is sent. So is this. Half'.length)
    expect(client.of('audio', 'turn-8').map(({ segment }) => segment)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 2])
    expect(asked.map(({ text, cuts }) => cutText(text, cuts!))).toEqual([
      ['All of this is sent.', ' So is this.', ' Half of this is, and none of that.'],
    ])
    expect(await paidCharacters()).toBe(characters_billed)
  })

  test('runs beside others, of which an error in one is no matter', async () => {
    gateway.fakes.synthesize = (request, { fail }) =>
      request.text.includes('bad') ? fail('upstream_error', 'The engine broke.') : spoken(request)
    const client = await ready()
    for (const id of ['a', 'b']) client.send({ ...start, context_id: id })
    client.send(text('This is bad.', 'a'))
    client.send(text('This is good.', 'b'))
    for (const context_id of ['a', 'b']) client.send({ event: 'end', context_id })
    await client.next('done', 'b')
    expect(errorOf(await client.next('error'))).toEqual(['upstream_error', 'a'])
    expect(client.of('done', 'a')).toEqual([])
    expect(gateway.reserver.holds.map(({ endings }) => endings.length)).toEqual([1, 1])
  })

  test('cannot be paid for, and says so in an error of its own', async () => {
    const client = await ready()
    gateway.reserver.refuseWith = 'insufficient_credit'
    client.send({ ...start, context_id: 'poor' })
    client.send(text('Hello.', 'poor'))
    client.send({ event: 'end', context_id: 'poor' })
    expect(errorOf(await client.next('error'))).toEqual(['insufficient_credit', 'poor'])
    gateway.reserver.refuseWith = undefined
    client.send({ ...start, context_id: 'poor' })
    await client.next('started', 'poor', 1)
  })

  test('is one of ten at most, and its id its own while it lasts', async () => {
    const client = await ready()
    for (let n = 0; n < 10; n++) client.send({ ...start, context_id: `c${n}` })
    client.send({ ...start, context_id: 'eleventh' })
    expect(errorOf(await client.next('error'))).toEqual(['too_many_contexts', 'eleventh'])
    client.send({ ...start, context_id: 'c3' })
    expect(errorOf(await client.next('error', undefined, 1))).toEqual(['context_exists', 'c3'])
    client.send({ event: 'end', context_id: 'c3' })
    await client.next('done', 'c3')
    client.send({ ...start, context_id: 'c3' })
    expect(await client.next('started', 'c3', 1)).toMatchObject({ context_index: 11 })
  })

  test('takes no text after its end', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send(start)
    client.send(text('All of it.'))
    client.send(end)
    client.send(text('More.'))
    expect(errorOf(await client.next('error'))).toEqual(['invalid_request', 'default'])
    gate.letGo()
    expect(await client.next('done')).toMatchObject({ characters_billed: 10 })
  })

  test('takes as much text as its limits say, and no control characters', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send(start)
    const codes = async (count: number) => {
      await client.next('error', undefined, count - 1)
      return client.of('error').map(({ code }) => code)
    }
    client.send(text('x'.repeat(4_001)))
    expect(await codes(1)).toEqual(['text_too_long'])
    for (let n = 0; n < 3; n++) client.send(text('😀'.repeat(3_000)))
    expect(await codes(2)).toEqual(['text_too_long', 'text_too_long'])
    client.send(text('a\u0007b'))
    expect((await codes(3))[2]).toBe('invalid_request')
  })

  test('keeps to what its token was minted for', async () => {
    const short = await ready('awtt_short')
    short.send(start)
    short.send(text('0123456789'))
    short.send(text('x'))
    expect(errorOf(await short.next('error'))).toEqual(['text_too_long', 'default'])
    const ada = await ready('awtt_ada')
    ada.send({ event: 'start', voice_id: '0'.repeat(32) })
    expect(errorOf(await ada.next('error'))).toEqual(['invalid_request', 'default'])
    ada.send({ event: 'start' })
    await ada.next('started')
  })

  test('stops its synthesis when its client has gone', async () => {
    let stopped = () => {}
    const gone = new Promise<void>((resolve) => {
      stopped = resolve
    })
    gateway.fakes.synthesize = async function* (request, { signal }) {
      signal.addEventListener('abort', () => stopped())
      yield* chunksOf(request).slice(0, 2)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const client = await ready()
    client.send(start)
    client.send(text('A long story. '))
    client.send(end)
    await client.next('audio')
    client.socket.terminate()
    await gone
    expect(await paidCharacters()).toBe('A long'.length)
  })
})
