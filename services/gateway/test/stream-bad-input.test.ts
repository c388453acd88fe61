import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { errorBodySchema, streamCloseCodes } from '@parlance/contracts'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { voiceId } from './fake-services.js'
import { generatedFrame, generatedHandshake } from './generated-message.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { connectStream } from './stream-client.js'

const connections = 120
/** Fewer than a connection may send at once, so that each of them is read. */
const framesEach = 190
const handshakes = 500
const atOnce = 10

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const seed = testSeed()

const inLanes = async <Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>) => {
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const index = next++
      await work(items[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await gateway.metrics.text())?.[1])

const collectGarbage = () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test(`${connections * framesEach} generated frames cause only events and close codes of the contract, and leave nothing behind`, async () => {
  process.stdout.write(`stream frames: seed ${seed}\n`)
  const frames = fc.sample(generatedFrame, { seed, numRuns: 20_000 })
  const codes = new Map<number, number>()
  const events = new Map<string, number>()
  const allowed = new Set([1000, 1007, ...Object.values(streamCloseCodes)])
  const play = async (first: number) => {
    // Each message is checked against the contract when it arrives.
    const client = connectStream(gateway.url, 'awtt_any')
    await client.next('ready')
    for (let n = 0; n < framesEach && client.socket.readyState === client.socket.OPEN; n++) {
      client.socket.send(frames[(first + n) % frames.length]!)
    }
    // A valid request still works after any input.
    client.send({ event: 'start', context_id: 'last', voice_id: voiceId })
    client.send({ event: 'text', context_id: 'last', text: 'And this is said.' })
    client.send({ event: 'end', context_id: 'last' })
    await client.next('done', 'last')
    client.send({ event: 'close' })
    const { code } = await client.closed
    codes.set(code, (codes.get(code) ?? 0) + 1)
    for (const { event } of client.messages) events.set(event, (events.get(event) ?? 0) + 1)
    expect(allowed).toContain(code)
  }
  const firsts = Array.from({ length: connections }, (_, n) => n * framesEach)
  await inLanes(firsts.slice(0, 30), play)
  collectGarbage()
  const heapBytes = process.memoryUsage().heapUsed
  await inLanes(firsts.slice(30), play)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - heapBytes).toBeLessThan(32 * 1024 * 1024)
  process.stdout.write(`stream frames: closed ${JSON.stringify([...codes])}, told ${JSON.stringify([...events])}\n`)
  // Ensures that the test reaches the handlers.
  for (const event of ['started', 'audio', 'done', 'cancelled', 'flushed', 'error']) {
    expect(events.get(event)).toBeGreaterThan(20)
  }
  // The server sees a connection end a moment after its client does.
  for (const name of ['parlance_streams_active', 'parlance_stream_contexts_active']) {
    while ((await gauge(name)) !== 0) await delay(5)
  }
  expect(gateway.reserver.holds.every(({ endings }) => endings.length === 1)).toBe(true)
})

test(`${handshakes} generated handshakes get responses that match the contract`, async () => {
  process.stdout.write(`stream handshakes: seed ${seed}\n`)
  const statuses = new Map<number, number>()
  await inLanes(fc.sample(generatedHandshake, { seed, numRuns: handshakes }), async (bytes) => {
    const socket = connect(gateway.server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes)
    const parts: Buffer[] = []
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (part) => {
        parts.push(part)
        if (Buffer.concat(parts).includes('\r\n\r\n')) resolve()
      })
      socket.once('close', () => resolve())
    })
    await answered
    const [head = '', body = ''] = Buffer.concat(parts).toString('latin1').split('\r\n\r\n')
    const status = Number(head.split(' ')[1])
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect([bytes, status < 500]).toEqual([bytes, true])
    if (status >= 400 && !bytes.startsWith('HEAD') && body !== '') errorBodySchema.parse(JSON.parse(body))
    socket.destroy()
    if (!socket.closed) await once(socket, 'close')
  })
  process.stdout.write(`stream handshakes: answers ${JSON.stringify([...statuses])}\n`)
  for (const status of [101, 400, 405]) expect(statuses.get(status)).toBeGreaterThan(10)
  expect((await gateway.get('/v1/openapi.json')).status).toBe(200)
})
