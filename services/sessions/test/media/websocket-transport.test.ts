import type { SessionClientEvent, SessionSocketChunk } from '@parlance/contracts'
import { vi } from 'vitest'
import type { LossReason } from '../../src/media/transport.js'
import { createWebsocketTransport } from '../../src/media/websocket/websocket-transport.js'

const open = () => {
  const transport = createWebsocketTransport({ requestId: 'request-1' })
  const calls = { opened: 0, frames: [] as Int16Array[], events: [] as SessionClientEvent[], lost: [] as LossReason[] }
  transport.listen({
    onOpen: () => void calls.opened++,
    onAudio: (frame) => calls.frames.push(frame),
    onEvent: (event) => calls.events.push(event),
    onLost: (reason) => calls.lost.push(reason),
  })
  return { transport, calls }
}
type Opened = ReturnType<typeof open>['transport']

/** A connection of the client; what it is sent is in `chunks`. `room` delays each chunk that is sent. */
const connect = (transport: Opened, room?: Promise<void>) => {
  const chunks: SessionSocketChunk[] = []
  let receive: (chunk: SessionSocketChunk) => void = () => {}
  let hangUp = () => {}
  let lose = (_reason: Error) => {}
  const over = transport.connect({
    send(chunk) {
      chunks.push(chunk)
      return room
    },
    receive(sink) {
      receive = sink
      return new Promise((resolve, reject) => {
        hangUp = resolve
        lose = reject
      })
    },
  })
  return {
    chunks,
    over,
    events: () => chunks.flatMap((chunk) => (chunk.kind === 'message' ? [JSON.parse(chunk.text)] : [])),
    receive: (...given: SessionSocketChunk[]) => {
      for (const chunk of given) receive(chunk)
    },
    hangUp: () => hangUp(),
    lose: () => lose(new Error('the caller has left')),
  }
}
const message = (event: unknown): SessionSocketChunk => ({ kind: 'message', text: JSON.stringify(event) })
const audio = (data: Uint8Array): SessionSocketChunk => ({ kind: 'audio', data })
const frame = (value = 0) => audio(new Uint8Array(new Int16Array(480).fill(value).buffer))
const nextTick = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('events and audio pass in both directions once the client is connected, and what was sent before is dropped', async () => {
  const { transport, calls } = open()
  transport.send({ event: 'pong' })
  const client = connect(transport)
  expect(calls.opened).toBe(1)
  transport.send({ event: 'agent.state', state: 'listening' })
  transport.playFrame(new Int16Array(480).fill(7))
  transport.playFrame(undefined)
  client.receive(message({ event: 'client.ready' }))
  expect(client.chunks.map(({ kind }) => kind)).toEqual(['message', 'audio'])
  expect(client.chunks[1]).toMatchObject({ data: Buffer.from(new Int16Array(480).fill(7).buffer) })
  expect(calls.events).toEqual([{ event: 'client.ready' }])
  await transport.close()
  await client.over
})

test('audio at 24 kHz is passed on as frames of 20 ms at 16 kHz', async () => {
  const { transport, calls } = open()
  const client = connect(transport)
  for (let n = 0; n < 50; n++) client.receive(frame(1_000))
  expect(calls.frames.length).toBeGreaterThanOrEqual(48)
  expect(calls.frames.length).toBeLessThanOrEqual(50)
  expect(calls.frames.every(({ length }) => length === 320)).toBe(true)
  expect(calls.frames.at(-1)!.every((sample) => Math.abs(sample - 1_000) < 20)).toBe(true)
  await transport.close()
})

test('audio at any offset of its buffer is the same audio', async () => {
  const { transport, calls } = open()
  const client = connect(transport)
  const bytes = new Uint8Array(961)
  bytes.set(new Uint8Array(new Int16Array(480).fill(1_000).buffer), 1)
  for (let n = 0; n < 5; n++) client.receive(audio(bytes.subarray(1)))
  expect(calls.frames.at(-1)!.every((sample) => Math.abs(sample - 1_000) < 20)).toBe(true)
  await transport.close()
})

test('audio of another size is answered with one error, and each malformed message with one', async () => {
  const { transport, calls } = open()
  const client = connect(transport)
  for (const bytes of [640, 3, 0, 961]) client.receive(audio(new Uint8Array(bytes)))
  client.receive({ kind: 'message', text: '{' }, message({ event: 'sing' }), message({ event: 'ping' }))
  expect(client.events().map(({ code }) => code)).toEqual(['invalid_request', 'invalid_json', 'invalid_request'])
  expect(client.events()[0]).toMatchObject({ event: 'error', request_id: 'request-1' })
  expect(calls.frames).toEqual([])
  expect(calls.events).toEqual([{ event: 'ping' }])
  await transport.close()
})

test('a connected client may be silent', async () => {
  const { transport, calls } = open()
  connect(transport)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.lost).toEqual([])
  await transport.close()
})

test('a client whose stream ends has hung up', async () => {
  const { transport, calls } = open()
  connect(transport).hangUp()
  await nextTick()
  expect(calls.lost).toEqual(['user_disconnected'])
})

test('a client whose stream breaks is lost 12 s after it last sent something', async () => {
  const { transport, calls } = open()
  const client = connect(transport)
  client.receive(message({ event: 'ping' }))
  await vi.advanceTimersByTimeAsync(4_000)
  client.lose()
  await vi.advanceTimersByTimeAsync(7_900)
  expect(calls.lost).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(calls.lost).toEqual(['connection_lost'])
  await expect(connect(transport).over).rejects.toMatchObject({ code: 'session_ended' })
})

test('a client whose stream breaks and who connects again gets the events and the last 2 s of audio from between', async () => {
  const { transport, calls } = open()
  const first = connect(transport)
  first.lose()
  await first.over
  transport.send({ event: 'agent.state', state: 'speaking' })
  for (let n = 0; n < 150; n++) transport.playFrame(new Int16Array(480).fill(n))
  await vi.advanceTimersByTimeAsync(5_000)
  const second = connect(transport)
  expect(first.chunks).toEqual([])
  expect(second.events()).toEqual([{ event: 'agent.state', state: 'speaking' }])
  expect(second.chunks.filter(({ kind }) => kind === 'audio')).toHaveLength(100)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(calls).toMatchObject({ opened: 1, lost: [] })
  await transport.close()
})

test('a second connection of the client replaces the first, whose end then has no effect', async () => {
  const { transport, calls } = open()
  const first = connect(transport)
  const second = connect(transport)
  await first.over
  first.receive(message({ event: 'ping' }))
  first.lose()
  await nextTick()
  second.receive(message({ event: 'ping' }))
  transport.send({ event: 'pong' })
  expect(first.events()).toEqual([])
  expect(second.events()).toEqual([{ event: 'pong' }])
  expect(calls).toMatchObject({ opened: 1, lost: [], events: [{ event: 'ping' }] })
  second.hangUp()
  await nextTick()
  expect(calls.lost).toEqual(['user_disconnected'])
})

test('waiting chunks are sent before it closes, and the listener is not called afterwards', async () => {
  const { transport, calls } = open()
  let makeRoom = () => {}
  const room = new Promise<void>((resolve) => {
    makeRoom = resolve
  })
  const client = connect(transport, room)
  transport.send({ event: 'pong' })
  transport.send({ event: 'session.ended', reason: 'api_ended', end_reason: 'api_ended' })
  expect(client.events()).toEqual([{ event: 'pong' }])
  let isClosed = false
  const closed = transport.close().then(() => {
    isClosed = true
  })
  await nextTick()
  expect(isClosed).toBe(false)
  makeRoom()
  await closed
  await client.over
  expect(client.events().at(-1)).toEqual({ event: 'session.ended', reason: 'api_ended', end_reason: 'api_ended' })
  client.receive(message({ event: 'ping' }))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toMatchObject({ events: [], lost: [] })
  await expect(connect(transport).over).rejects.toMatchObject({ code: 'session_ended' })
})

test('a client that reads nothing loses the oldest audio first, and is lost when messages pile up', async () => {
  const { transport, calls } = open()
  let makeRoom = () => {}
  const room = new Promise<void>((resolve) => {
    makeRoom = resolve
  })
  const client = connect(transport, room)
  for (let n = 0; n < 10_000; n++) transport.playFrame(new Int16Array(480).fill(n))
  makeRoom()
  await nextTick()
  const played = client.chunks.map((chunk) => (chunk.kind === 'audio' ? Buffer.from(chunk.data).readInt16LE() : -1))
  // The first was sent before there was no more room.
  expect(played).toEqual([0, ...Array.from({ length: 100 }, (_, index) => 9_900 + index)])
  expect(calls.lost).toEqual([])

  const stalled = open()
  connect(stalled.transport, new Promise(() => undefined))
  for (let n = 0; n < 3_000; n++) stalled.transport.send({ event: 'pong' })
  await nextTick()
  expect(stalled.calls.lost).toEqual(['connection_lost'])
  await transport.close()
})
