import { PassThrough } from 'node:stream'
import { listenLimits } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { openListenConnection } from '../src/stream/listen-connection.js'
import { openFakeSocket } from './fake-socket.js'

const idleSeconds = 20

/** A connection to a client that answers every ping, and a recognizer that reports nothing. */
const openConnection = () => {
  const { socket, closed, say } = openFakeSocket()
  const connection = openListenConnection({
    socket,
    rawSocket: new PassThrough(),
    grant: { workspace_id: '1', key_id: '2' },
    requestId: 'any',
    query: { inactivity_timeout: idleSeconds },
    transcription: {
      listen: () => ({ send: async () => {}, end() {}, cancel() {}, ended: new Promise(() => {}) }) as never,
    },
    openTranscriptionBill: async () => ({ settle() {} }),
    logger: createLogger({ level: 'silent' }),
  } as never)
  return { closed, connection, say, hear: () => socket.emit('message', Buffer.alloc(320), true) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000)
const start = { event: 'start', encoding: 'pcm_s16le', sample_rate: 16_000 }

test('a connection that receives neither audio nor a message ends after the inactivity timeout', () => {
  const { closed, say, hear } = openConnection()
  say(start)
  for (const wake of [hear, () => say({ event: 'keepalive' })]) {
    pass(idleSeconds - 1)
    wake()
  }
  pass(idleSeconds - 1)
  expect(closed).toEqual([])
  pass(1.1)
  expect(closed).toEqual([{ code: 4408, reason: `nothing was sent for ${idleSeconds} s` }])
})

test('a connection whose last texts are awaited is not idle, and ends at its maximum duration', () => {
  const { closed, say } = openConnection()
  say(start)
  say({ event: 'close' })
  pass(listenLimits.life_seconds - 1)
  expect(closed).toEqual([])
  pass(1.1)
  expect(closed).toEqual([{ code: 1000, reason: 'maximum duration reached' }])
})

test('when the server stops, a connection without a start ends after 5 s, and any other at the deadline', () => {
  const [unused, used] = [openConnection(), openConnection()]
  used.say(start)
  for (const { connection } of [unused, used]) connection.drain(30_000)
  pass(5.1)
  expect([unused.closed, used.closed]).toEqual([[{ code: 1001, reason: 'draining' }], []])
  used.hear()
  pass(15)
  used.hear()
  pass(10)
  expect(used.closed).toEqual([{ code: 1001, reason: 'draining' }])
})
