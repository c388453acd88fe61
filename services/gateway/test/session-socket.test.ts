import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sessionEventLimits } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { sessionCalls, sessionsPath } from './session-calls.js'
import { connectSession, type SessionClient } from './session-client.js'

let gateway: OpenGateway
const clients: SessionClient[] = []
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await gateway.conversations.stop(0)
  await gateway.close()
})

const { call, started } = sessionCalls(() => gateway)
const connect = (url: string, token = 'awst_good') => {
  const client = connectSession(url, token)
  clients.push(client)
  return client
}

describe('a conversation over a WebSocket', () => {
  const event = { kind: 'message', text: '{"event":"pong"}' } as const

  test('receives what its instance sends, and is closed when the conversation has ended', async () => {
    gateway.sessions.state.sent = [event, { kind: 'audio', data: new Uint8Array(960).fill(3) }]
    const client = connect((await started()).websocket_url)
    expect(await client.closed).toEqual({ code: 1000, reason: 'the session has ended' })
    expect(client.socket.protocol).toBe('awp.session.v1')
    expect(client.events).toEqual([{ event: 'pong' }])
    expect(client.frames).toEqual([Buffer.alloc(960, 3)])
  })

  const nextTick = () => new Promise((resolve) => setImmediate(resolve))
  const receivedText = () =>
    gateway.sessions.received.flatMap((chunk) => (chunk.kind === 'message' ? [JSON.parse(chunk.text)] : []))
  const receivedAudio = () =>
    gateway.sessions.received.flatMap((chunk) => (chunk.kind === 'audio' ? [Buffer.from(chunk.data)] : []))

  test('forwards the messages of the client to its instance in order: text as text, audio as bytes', async () => {
    gateway.sessions.state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await client.opened
    for (let n = 0; n < 40; n++) {
      client.send({ event: 'ping', n })
      client.sendAudio(Buffer.alloc(n, n))
    }
    while (gateway.sessions.received.length < 80) await nextTick()
    expect(gateway.sessions.received.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? 'message' : 'audio')),
    )
    expect(receivedText().map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(receivedAudio()).toEqual(Array.from({ length: 40 }, (_, n) => Buffer.alloc(n, n)))
  })

  test('reads a client only as fast as its instance accepts, and continues where it stopped', async () => {
    const { state, received } = gateway.sessions
    state.holdOpen = true
    let makeRoom = () => {}
    state.room = new Promise((resolve) => {
      makeRoom = resolve
    })
    const client = connect((await started()).websocket_url)
    await client.opened
    // Enough large messages to fill the buffers of the kernel and the stream, and fewer in a second than the limit.
    const text = 'x'.repeat(sessionEventLimits.message_bytes - 100)
    let sent = 0
    while (client.socket.bufferedAmount === 0 && sent < 2_000) {
      client.send({ event: 'ping', n: sent, text })
      sent += 1
      await new Promise((resolve) => setTimeout(resolve, 1_100 / sessionEventLimits.messages_per_second))
    }
    expect(client.socket.bufferedAmount).toBeGreaterThan(0)
    expect(received).toHaveLength(1)
    makeRoom()
    while (received.length < 20) await nextTick()
    expect(receivedText().map(({ n }) => n)).toEqual(Array.from({ length: received.length }, (_, n) => n))
  })

  test('continues after a network that delayed audio for long: the excess is dropped', async () => {
    gateway.sessions.state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await client.opened
    for (let n = 0; n < 500; n++) client.sendAudio(Buffer.alloc(960))
    client.send({ event: 'ping' })
    while (receivedText().length === 0) await nextTick()
    const frames = receivedAudio().length
    expect(frames).toBeGreaterThanOrEqual(sessionEventLimits.audio_frames_per_second)
    expect(frames).toBeLessThan(500)
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    client.socket.close()
    await client.closed
  })

  test('ends its stream when the client closes it, and cancels it when the connection is lost', async () => {
    const { state } = gateway.sessions
    state.holdOpen = true
    const leaving = connect((await started()).websocket_url)
    await leaving.opened
    leaving.socket.close(1000)
    while (state.left.length < 1) await nextTick()
    const lost = connect((await started()).websocket_url)
    await lost.opened
    lost.socket.terminate()
    while (state.left.length < 2) await nextTick()
    expect(state.left).toEqual(['hung up', 'lost'])
    expect(state.ended).toEqual([])
  })

  test.each([
    ['awst_unauthorized', 4401, 'unauthorized'],
    ['awst_session_token_expired', 4401, 'session_token_expired'],
  ])('is closed for the token %s, with the reason', async (token, code, reason) => {
    const client = connect((await started()).websocket_url, token)
    expect(await client.closed).toEqual({ code, reason })
    expect(client.events).toMatchObject([{ event: 'error', code: reason }])
  })

  test('is closed when the conversation does not exist or has ended', async () => {
    const { session_id, websocket_url } = await started()
    const nowhere = connect(websocket_url.replace(session_id, randomUUID()))
    expect((await nowhere.closed).code).toBe(4404)
    await gateway.registry.end(session_id, (await gateway.registry.locate(session_id))!)
    expect((await connect(websocket_url).closed).code).toBe(4409)
  })

  test('is closed for messages that are too large or too many', async () => {
    gateway.sessions.state.holdOpen = true
    const large = connect((await started()).websocket_url)
    await large.opened
    large.socket.send('x'.repeat(sessionEventLimits.message_bytes + 1))
    expect((await large.closed).code).toBe(1009)
    const many = connect((await started()).websocket_url)
    await many.opened
    for (let n = 0; n < 200; n++) many.send({ event: 'ping' })
    expect((await many.closed).code).toBe(4429)
    expect(many.events).toMatchObject([{ event: 'error', code: 'rate_limited' }])
  })

  test('cancels its stream when the gateway closes the socket for too many messages, since the client has not hung up', async () => {
    const { state } = gateway.sessions
    state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await client.opened
    for (let n = 0; n < 200; n++) client.send({ event: 'ping' })
    expect((await client.closed).code).toBe(4429)
    while (state.left.length === 0) await nextTick()
    expect(state.left).toEqual(['lost'])
  })

  test('responds to a request without an upgrade with an error', async () => {
    await expectError(await call('GET', `${sessionsPath}/${randomUUID()}/stream`), 'invalid_request')
  })

  test('is drained with the gateway: its instance is asked at once to end it, and its last events precede the close', async () => {
    const { state, requests } = gateway.sessions
    state.holdOpen = true
    const over = { event: 'session.ended', reason: 'drained', end_reason: 'drained' }
    state.endWith = () => [{ kind: 'message', text: JSON.stringify(over) }]
    const client = connect((await started()).websocket_url)
    await client.opened
    while (requests.connectClient === undefined) await new Promise((resolve) => setImmediate(resolve))
    // The gateway would wait for an hour.
    await gateway.conversations.stop(3_600_000)
    expect(requests.endSession).toMatchObject({ reason: 'drained', deadline_ms: 3_600_000 })
    expect(await client.closed).toEqual({ code: 1000, reason: 'the session has ended' })
    expect(client.events).toEqual([over])
    expect(state.ended).toEqual(['drained'])
  })

  test('is closed by a gateway that stops when its instance does not end it in time', async () => {
    gateway.sessions.state.holdOpen = true
    const client = connect((await started()).websocket_url)
    await once(client.socket, 'open')
    await gateway.conversations.stop(10)
    expect((await client.closed).code).toBe(1001)
  })
})
