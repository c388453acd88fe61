import { jest } from '@jest/globals'
import type { SessionClientEvent } from '@parlance/contracts'
import fc from 'fast-check'
import type { LossReason } from '../../src/media/transport.js'
import { createPeerCalls } from '../../src/media/websocket/peer-calls.js'
import type { PeerChunk } from '../../src/media/websocket/peer-outlet.js'
import { createWebsocketTransport } from '../../src/media/websocket/websocket-transport.js'

const open = () => {
  const transport = createWebsocketTransport({ requestId: 'request-1' })
  const told = { opened: 0, frames: [] as Int16Array[], events: [] as SessionClientEvent[], lost: [] as LossReason[] }
  transport.listen({
    onOpen: () => void told.opened++,
    onAudio: (frame) => told.frames.push(frame),
    onEvent: (event) => told.events.push(event),
    onLost: (reason) => told.lost.push(reason),
  })
  return { transport, told }
}
type Opened = ReturnType<typeof open>['transport']

/** A connection of the peer; what it is sent is in `chunks`. */
const attach = (transport: Opened) => {
  const leave = new AbortController()
  const chunks: PeerChunk[] = []
  const read = async () => {
    for await (const chunk of transport.attach(leave.signal)) chunks.push(chunk)
  }
  const over = read()
  const events = () => chunks.flatMap((chunk) => (chunk.kind === 'message' ? [JSON.parse(chunk.text)] : []))
  return { chunks, events, over, leave: () => leave.abort() }
}
const message = (event: unknown) => ({ kind: 'message' as const, text: JSON.stringify(event) })
const audio = (bytes: Uint8Array) => ({ kind: 'audio' as const, data: Buffer.from(bytes).toString('base64') })
const frame = (value = 0) => audio(new Uint8Array(new Int16Array(480).fill(value).buffer))
const turn = () => jest.advanceTimersByTimeAsync(0)

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('events and audio come and go once the peer is there, and what was sent before is dropped', async () => {
  const { transport, told } = open()
  transport.send({ event: 'pong' })
  const peer = attach(transport)
  await turn()
  expect(told.opened).toBe(1)
  transport.send({ event: 'agent.state', state: 'listening' })
  transport.playFrame(new Int16Array(480).fill(7))
  transport.playFrame(undefined)
  transport.receive(0, [message({ event: 'client.ready' })])
  await turn()
  expect(peer.chunks.map(({ kind }) => kind)).toEqual(['message', 'audio'])
  expect(peer.chunks[1]).toMatchObject({ data: Buffer.from(new Int16Array(480).fill(7).buffer) })
  expect(told.events).toEqual([{ event: 'client.ready' }])
  await transport.close()
  await peer.over
})

test('audio at 24 kHz is heard as frames of 20 ms at 16 kHz', async () => {
  const { transport, told } = open()
  attach(transport)
  await turn()
  for (let seq = 0; seq < 50; seq++) transport.receive(seq, [frame(1_000)])
  expect(told.frames.length).toBeGreaterThanOrEqual(48)
  expect(told.frames.length).toBeLessThanOrEqual(50)
  expect(told.frames.every(({ length }) => length === 320)).toBe(true)
  expect(told.frames.at(-1)!.every((sample) => Math.abs(sample - 1_000) < 20)).toBe(true)
  await transport.close()
})

test('audio of another size is an error that is told once, and messages that are wrong are each', async () => {
  const { transport, told } = open()
  const peer = attach(transport)
  await turn()
  for (let seq = 0; seq < 5; seq++) transport.receive(seq, [audio(new Uint8Array(640)), audio(new Uint8Array(3))])
  transport.receive(5, [{ kind: 'message', text: '{' }, message({ event: 'sing' }), message({ event: 'ping' })])
  await turn()
  expect(peer.events().map(({ code }) => code)).toEqual(['invalid_request', 'invalid_json', 'invalid_request'])
  expect(peer.events()[0]).toMatchObject({ event: 'error', request_id: 'request-1' })
  expect(told.frames).toEqual([])
  expect(told.events).toEqual([{ event: 'ping' }])
  await transport.close()
})

test('a peer that does not come is lost after 15 s, and so is one of whom nothing is heard', async () => {
  const { told } = open()
  await jest.advanceTimersByTimeAsync(14_900)
  expect(told.lost).toEqual([])
  await jest.advanceTimersByTimeAsync(200)
  expect(told.lost).toEqual(['connection_lost'])

  const { transport, told: second } = open()
  attach(transport)
  await turn()
  await jest.advanceTimersByTimeAsync(14_000)
  // A sign of life that says nothing.
  transport.receive(0, [])
  await jest.advanceTimersByTimeAsync(14_000)
  expect(second.lost).toEqual([])
  await jest.advanceTimersByTimeAsync(1_100)
  expect(second.lost).toEqual(['connection_lost'])
})

test('leaving is hanging up, but not where another connection of the peer has taken the place', async () => {
  const { transport, told } = open()
  const first = attach(transport)
  await turn()
  const second = attach(transport)
  await turn()
  await first.over
  first.leave()
  transport.receive(0, [message({ event: 'ping' })])
  transport.send({ event: 'pong' })
  await turn()
  expect(second.events()).toEqual([{ event: 'pong' }])
  expect(told).toMatchObject({ opened: 1, lost: [], events: [{ event: 'ping' }] })
  second.leave()
  await second.over
  expect(told.lost).toEqual(['user_disconnected'])
})

test('what is under way is sent before it closes, and nothing is told afterwards', async () => {
  const { transport, told } = open()
  const peer = attach(transport)
  await turn()
  transport.send({ event: 'session.ended', reason: 'api_ended', end_reason: 'api_ended' })
  await transport.close()
  await peer.over
  expect(peer.events()).toEqual([{ event: 'session.ended', reason: 'api_ended', end_reason: 'api_ended' }])
  transport.receive(0, [message({ event: 'ping' })])
  await jest.advanceTimersByTimeAsync(60_000)
  expect(told).toMatchObject({ events: [], lost: [] })
  await expect(transport.attach(new AbortController().signal)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'session_ended',
  })
})

test('a peer that takes nothing loses old audio first, and is lost itself when messages pile up', async () => {
  const { transport, told } = open()
  const stalled = transport.attach(new AbortController().signal)[Symbol.asyncIterator]()
  transport.receive(0, [])
  const first = stalled.next()
  await turn()
  for (let n = 0; n < 10_000; n++) transport.playFrame(new Int16Array(480).fill(n % 100))
  await first
  expect(told.lost).toEqual([])
  for (let n = 0; n < 3_000; n++) transport.send({ event: 'pong' })
  await turn()
  expect(told.lost).toEqual(['connection_lost'])
})

test('calls are taken in the order of their numbers, each once, in whatever order they come', () => {
  const count = 12
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }),
      fc.array(fc.nat(count - 1), { maxLength: 10 }),
      (order, again) => {
        const calls = createPeerCalls()
        const taken: string[] = []
        for (const seq of [...order, ...again]) {
          const items = calls.take(seq, [{ kind: 'message', text: String(seq) }])
          for (const item of items) taken.push(item.kind === 'message' ? item.text : '')
        }
        expect(taken).toEqual([...Array(count).keys()].map(String))
      },
    ),
  )
})

test('a call that never comes holds up no more than sixteen others', () => {
  const calls = createPeerCalls()
  const taken: number[] = []
  for (let seq = 1; seq <= 20; seq++) taken.push(...calls.take(seq, [{ kind: 'message', text: '' }]).map(() => seq))
  expect(taken).toHaveLength(20)
})
