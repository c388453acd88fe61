import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { FramePayload } from '../src/websocket/frame-writer.js'
import { createOutboundQueue, type OutboundQueue } from '../src/websocket/outbound-queue.js'

describe('an outbound queue', () => {
  let http: Server
  let queue: OutboundQueue<object>
  /** Calls of the kernel, each with one message or many. */
  let writes: number
  let socket: WebSocket
  let client: WebSocket

  beforeEach(async () => {
    http = createServer().listen(0, '127.0.0.1')
    await once(http, 'listening')
    const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    const accepted = new Promise<void>((resolve) => {
      http.on('upgrade', (req, rawSocket: Duplex, head) => {
        server.handleUpgrade(req, rawSocket, head, (upgraded) => {
          socket = upgraded
          writes = 0
          for (const name of ['_write', '_writev'] as const) {
            const write = rawSocket[name]!.bind(rawSocket) as (...given: unknown[]) => void
            Object.assign(rawSocket, {
              [name](...given: unknown[]) {
                writes += 1
                write(...given)
              },
            })
          }
          queue = createOutboundQueue(upgraded, rawSocket)
          resolve()
        })
      })
    })
    client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
    await Promise.all([accepted, once(client, 'open')])
  })
  afterEach(() => {
    client.terminate()
    socket.terminate()
    http.close()
  })

  const frameOf = (kind: 'text' | 'binary', payload: Buffer): FramePayload => ({
    kind,
    bytes: payload.length,
    writeTo: (frame, at) => void payload.copy(frame, at),
  })
  const messages = async (count: number): Promise<{ text: boolean; data: Buffer }[]> => {
    const got: { text: boolean; data: Buffer }[] = []
    await new Promise<void>((resolve) => {
      client.on('message', (data, binary) => {
        got.push({ text: !binary, data: data as Buffer })
        if (got.length === count) resolve()
      })
    })
    return got
  }

  test('delivers messages and frames of every length unchanged and in order', async () => {
    const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]
    const arrived = messages(3 * lengths.length)
    for (const [n, length] of lengths.entries()) {
      queue.sendFrame(frameOf('binary', Buffer.alloc(length, n + 1)), 0)
      queue.send({ after: length })
      queue.sendFrame(frameOf('text', Buffer.alloc(length, 'a')), 0)
    }
    expect(await arrived).toEqual(
      lengths.flatMap((length, n) => [
        { text: false, data: Buffer.alloc(length, n + 1) },
        { text: true, data: Buffer.from(JSON.stringify({ after: length })) },
        { text: true, data: Buffer.alloc(length, 'a') },
      ]),
    )
  })

  test('the messages after the first of a tick are written together, however late in the tick they are sent', async () => {
    const arrived = messages(4)
    const pinged = once(client, 'ping')
    writes = 0
    queue.send({ n: 1 })
    queue.send({ n: 2 })
    for (let reactions = 0; reactions < 10; reactions++) await undefined
    queue.sendFrame(frameOf('text', Buffer.from('{"n":3}')), 8_000)
    queue.send({ n: 4 })
    const sent = [1, 2, 3, 4].map((n) => ({ text: true, data: Buffer.from(`{"n":${n}}`) }))
    expect(await arrived).toEqual(sent)
    await pinged
    expect(writes).toBe(2)
  })

  test('messages from different microtasks of the same tick are also written together', async () => {
    const arrived = messages(3)
    writes = 0
    for (let n = 1; n <= 3; n++) {
      queue.send({ n })
      for (let reactions = 0; reactions < 10; reactions++) await undefined
    }
    await arrived
    expect(writes).toBe(2)
  })

  test('delivers frames that the kernel does not take at once unchanged', async () => {
    const bytes = 3_000
    client.pause()
    let sent = 0
    while (socket.bufferedAmount < 20 * bytes) {
      queue.sendFrame(frameOf('binary', Buffer.alloc(bytes, sent & 255)), 0)
      sent += 1
      // Each in a separate tick, so that none of them waits for the end of a tick.
      await new Promise(setImmediate)
    }
    const arrived = messages(sent)
    client.resume()
    for (const [n, { data }] of (await arrived).entries()) expect(data.equals(Buffer.alloc(bytes, n & 255))).toBe(true)
  })

  test('is not writable while the reader has stopped, even if the kernel accepts more, and is again when the reader continues', async () => {
    const second = frameOf('binary', Buffer.alloc(48))
    client.pause()
    for (let n = 0; n < 10; n++) queue.sendFrame(second, 1_000)
    expect(queue.isWritable()).toBe(true)
    queue.sendFrame(second, 1_000)
    expect(socket.bufferedAmount).toBeLessThan(10_000)
    expect(queue.isWritable()).toBe(false)
    const writable = queue.writable()
    const first = await Promise.race([writable.then(() => 'writable'), new Promise((r) => setTimeout(r, 600, 'waits'))])
    expect(first).toBe('waits')
    client.resume()
    await writable
    expect(queue.isWritable()).toBe(true)
  })

  test('is writable while the connection is being closed: what is sent then is dropped', async () => {
    const second = frameOf('binary', Buffer.alloc(48))
    client.pause()
    for (let n = 0; n < 11; n++) queue.sendFrame(second, 1_000)
    const writable = queue.writable()
    queue.close(4408, 'nothing was read')
    await writable
    // A sender that waits again before the connection is closed must not wait forever.
    expect(socket.readyState).toBe(socket.CLOSING)
    expect(queue.isWritable()).toBe(true)
    await queue.writable()
  })

  test('is always writable for a client that reads', async () => {
    const second = frameOf('binary', Buffer.alloc(48))
    for (let round = 0; round < 30; round++) {
      const arrived = messages(3)
      for (let n = 0; n < 3; n++) queue.sendFrame(second, 1_000)
      await arrived
      client.removeAllListeners('message')
    }
    await queue.writable()
    expect(queue.isWritable()).toBe(true)
  })

  test('ignores a pong to another ping or without a ping', async () => {
    const second = frameOf('binary', Buffer.alloc(48))
    client.pause()
    for (let n = 0; n < 11; n++) queue.sendFrame(second, 1_000)
    const pongs = once(socket, 'pong')
    client.pong(Buffer.from('anything'))
    await pongs
    expect(queue.isWritable()).toBe(false)
  })
})
