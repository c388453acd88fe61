import { PassThrough } from 'node:stream'
import { streamLimits } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { createCartesiaDialect } from '../src/compat/cartesia/cartesia-messages.js'
import { openStreamConnection, type StreamDialect } from '../src/stream/stream-connection.js'
import { openFakeSocket } from './fake-socket.js'
import { ada } from './fake-voice.js'

const idleSeconds = 20
const logger = createLogger({ level: 'silent' })

/** A connection to a client that answers every ping, and speech that continues until its context is cancelled. */
const openConnection = (dialect?: StreamDialect) => {
  const { socket, closed, say } = openFakeSocket()
  openStreamConnection({
    socket,
    rawSocket: new PassThrough(),
    grant: { workspace_id: '1', key_id: '2', voice_id: null, max_characters: 10_000 } as never,
    requestId: 'any',
    query: { inactivity_timeout: idleSeconds },
    ...(dialect !== undefined && { dialect }),
    checkVoice: async () => ({ voice: ada, language: 'en' }),
    orderBatch: () => ({ chunks: () => new Promise(() => undefined), settle() {} }),
    logger,
    startSpan: () => undefined,
    onFirstAudio() {},
    onContexts() {},
  })
  return { closed, say, hangUp: () => socket.emit('close', 1006) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const voiceFound = () => new Promise(setImmediate)
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000)
const timedOut = { code: 4408, reason: `nothing was sent for ${idleSeconds} s` }
const start = { event: 'start', context_id: 'c', voice_id: '0'.repeat(32) }

test('one that receives nothing ends after the inactivity timeout, which every message restarts', () => {
  const { closed, say } = openConnection()
  pass(idleSeconds - 1)
  say({ event: 'keepalive' })
  pass(idleSeconds - 1)
  expect(closed).toEqual([])
  pass(1.1)
  expect(closed).toEqual([timedOut])
})

test("one in a vendor's dialect ends with a close code that is not ours alone", () => {
  const { closed } = openConnection(createCartesiaDialect())
  pass(idleSeconds + 0.1)
  expect(closed).toEqual([{ ...timedOut, code: 1011 }])
})

test('one that has a context is not idle, and its idle time begins when the last one has ended', async () => {
  const { closed, say } = openConnection()
  say(start)
  await voiceFound()
  pass(10 * idleSeconds)
  say({ event: 'cancel', context_id: 'c' })
  pass(idleSeconds - 1)
  expect(closed).toEqual([])
  pass(1.1)
  expect(closed).toEqual([timedOut])
})

test('one that reaches its maximum duration ends, even when contexts are open', () => {
  const { closed, say } = openConnection()
  say(start)
  pass(streamLimits.life_seconds - 1)
  expect(closed).toEqual([])
  pass(1.1)
  expect(closed).toEqual([{ code: 1000, reason: 'maximum duration reached' }])
})

test('one whose client disconnects leaves no timer', async () => {
  const { say, hangUp } = openConnection()
  say(start)
  await voiceFound()
  hangUp()
  expect(vi.getTimerCount()).toBe(0)
})
