import { type ListenServerMessage, listenProtocol, listenServerMessageSchema, ServiceError } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { checkDocumentedMessage } from './documented.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
const sockets: WebSocket[] = []
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await gateway.close()
})

/** A client of `/v1/listen` that checks every message against the contract and the AsyncAPI document. */
const connect = (token = 'awlt_any') => {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/listen`, [listenProtocol, `awp.token.${token}`])
  sockets.push(socket)
  const messages: ListenServerMessage[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const waiter of waiting) waiter()
  }
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.once('close', wake)
  socket.on('error', () => {})
  socket.on('message', (data) => {
    const message = listenServerMessageSchema.parse(JSON.parse(String(data)))
    checkDocumentedMessage('listen', 'ToClient', message)
    messages.push(message)
    wake()
  })
  const next = async <Event extends ListenServerMessage['event']>(event: Event, n = 0) => {
    for (;;) {
      const found = messages.filter((message) => message.event === event)[n]
      if (found !== undefined) return found as Extract<ListenServerMessage, { event: Event }>
      if (socket.readyState === socket.CLOSED) throw new Error(`closed without it: ${JSON.stringify(messages)}`)
      await new Promise<void>((resolve) => {
        const once = () => {
          waiting.delete(once)
          resolve()
        }
        waiting.add(once)
      })
    }
  }
  return {
    messages,
    closed,
    next,
    terminate: () => socket.terminate(),
    send: (message: object | string | Uint8Array) =>
      socket.send(message instanceof Uint8Array || typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

/** The status with which an upgrade is refused. */
const statusOfRefusal = () =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/listen`, [
      listenProtocol,
      'awp.token.awlt_any',
    ])
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
  })

const begun = async (fields: object = {}) => {
  const client = connect()
  await client.next('ready')
  client.send({ event: 'start', encoding: 'pcm_s16le', sample_rate: 16_000, interim_results: true, ...fields })
  await client.next('started')
  return client
}

/** Audio of so many ms. */
const audio = (ms: number) => new Uint8Array(ms * 32)

/** The seconds of all reservations that were settled. */
const secondsPaid = async () => {
  await gateway.allBilled()
  return gateway.reserver.holds.flatMap(({ endings }) =>
    endings.map((ending) => (ending === 'released' ? 0 : (ending.usage.quantities.stt_seconds ?? 0))),
  )
}

test('a listen token is minted for one connection', async () => {
  const response = await gateway.post('/v1/listen/tokens', {})
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toMatchObject({
    token: 'awlt_minted',
    websocket_url: expect.stringMatching(/^ws:.*\/v1\/listen$/),
    protocol: listenProtocol,
  })
})

test('audio is recognized and billed by the second', async () => {
  const client = await begun({ words: true })
  for (let part = 0; part < 12; part++) client.send(audio(1_025))
  client.send({ event: 'finalize' })
  expect(await client.next('transcript', 1)).toMatchObject({
    text: '12300 ms',
    final: true,
    words: [{ text: '12300' }],
  })
  client.send({ event: 'close' })
  expect(await client.next('done')).toEqual({ event: 'done', audio_seconds_billed: 13 })
  expect(await client.closed).toBe(1000)
  expect(await secondsPaid()).toEqual([10, 3])
})

test('interim results and words come only when they are requested', async () => {
  const client = await begun({ interim_results: false })
  client.send(audio(100))
  client.send({ event: 'finalize' })
  const transcript = await client.next('transcript')
  expect(transcript.final).toBe(true)
  expect(transcript).not.toHaveProperty('words')
})

test('messages that cannot be read, or come at the wrong time, are answered with an error and change nothing', async () => {
  const client = connect()
  await client.next('ready')
  const bad: [object | string | Uint8Array, string][] = [
    ['{', 'invalid_json'],
    [{ event: 'unknown' }, 'invalid_request'],
    [{ event: 'start', encoding: 'mp3', sample_rate: 16_000 }, 'invalid_request'],
    [audio(20), 'invalid_request'],
    [{ event: 'finalize' }, 'invalid_request'],
  ]
  for (const [index, [message, code]] of bad.entries()) {
    client.send(message)
    expect(await client.next('error', index)).toMatchObject({ code })
  }
  client.send({ event: 'keepalive' })
  client.send({ event: 'start', encoding: 'ulaw', sample_rate: 8_000, model: 'none' })
  expect(await client.next('error', bad.length)).toMatchObject({ code: 'not_found' })
  client.send({ event: 'start', encoding: 'ulaw', sample_rate: 8_000 })
  await client.next('started')
  client.send({ event: 'close' })
  expect(await client.next('done')).toMatchObject({ audio_seconds_billed: 0 })
  expect(gateway.reserver.holds).toEqual([])
})

test('a client that hangs up pays for what the recognizer was sent', async () => {
  const client = await begun()
  client.send(audio(1_500))
  client.send({ event: 'finalize' })
  await client.next('transcript', 1)
  client.terminate()
  while (gateway.lines.every(({ msg }) => msg !== 'A stream closed')) await new Promise(setImmediate)
  expect(await secondsPaid()).toEqual([2])
})

test('without credit nothing more is recognized, and the connection is closed with 4402', async () => {
  const client = await begun()
  client.send(audio(1_000))
  await client.next('transcript')
  gateway.reserver.refuseWith = 'insufficient_credit'
  for (let part = 0; part < 10; part++) client.send(audio(1_000))
  expect(await client.next('error')).toMatchObject({ code: 'insufficient_credit' })
  expect(await client.closed).toBe(4402)
  expect(await secondsPaid()).toEqual([10])
})

test('more audio than may wait is refused with 4429', async () => {
  const client = await begun()
  gateway.reserver.beforeReserving = () => new Promise(() => {})
  for (let part = 0; part < 31; part++) client.send(audio(1_000))
  expect(await client.next('error')).toMatchObject({ code: 'rate_limited' })
  expect(await client.closed).toBe(4429)
  // The bill that was being opened is never closed; the next gateway has another.
  gateway.allBilled = async () => {}
})

test('a recognizer that fails ends the connection, and only what was transcribed before is paid', async () => {
  const client = await begun()
  client.send(audio(1_500))
  client.send({ event: 'finalize' })
  await client.next('transcript', 1)
  gateway.transcription.listenFailure = new ServiceError('upstream_error', 'The recognizer stopped.')
  client.send(audio(2_000))
  client.send({ event: 'finalize' })
  expect(await client.next('error')).toMatchObject({ code: 'upstream_error', retryable: true })
  expect(await client.closed).toBe(1011)
  expect(await secondsPaid()).toEqual([2])
})

test('a server that stops refuses new streams over HTTP, and those that are open end in order', async () => {
  const client = await begun()
  const stopped = gateway.streams.stop(60_000)
  expect(await client.next('draining')).toEqual({ event: 'draining', deadline_ms: 60_000 })
  await expect(statusOfRefusal()).resolves.toBe(503)
  client.send(audio(1_000))
  client.send({ event: 'close' })
  expect(await client.next('done')).toMatchObject({ audio_seconds_billed: 1 })
  expect(await client.closed).toBe(1000)
  await stopped
})

test('a workspace without the capability, without credit or at its limit of streams is refused on the socket', async () => {
  gateway.fakes.admission = 'capability_disabled'
  const first = connect()
  expect(await first.next('error')).toMatchObject({ code: 'capability_disabled' })
  expect(await first.closed).toBe(4403)
  gateway.fakes.admission = 'insufficient_credit'
  expect(await connect().closed).toBe(4402)
  gateway.fakes.admission = undefined
  gateway.fakes.streamLimit = 1
  const open = await begun()
  const second = connect()
  expect(await second.next('error')).toMatchObject({ code: 'concurrency_limited', retryable: true })
  expect(await second.closed).toBe(4429)
  open.send({ event: 'close' })
  expect(await open.closed).toBe(1000)
})

test('a used or unknown token is refused on the socket', async () => {
  const client = connect('awlt_other')
  expect(await client.next('error')).toMatchObject({ code: 'stream_token_invalid' })
  expect(await client.closed).toBe(4401)
})
