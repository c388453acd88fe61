import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { ServiceError, type SynthesisRequest } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import { openStreamConnection } from '../src/stream/stream-connection.js'
import { ada } from './fake-voice.js'
import { chunksOf } from './spoken-words.js'

const words = 'one two three four five six'

/** A connection to a client that does not answer the close of the connection, with a context that has sent two of six words. */
const openConnection = async () => {
  const billed: number[] = []
  let speakOn = () => {}
  const spokenOn = new Promise<void>((resolve) => {
    speakOn = resolve
  })
  let onSent = () => {}
  const sent = new Promise<void>((resolve) => {
    onSent = resolve
  })
  let spoken: Promise<void> = Promise.resolve()
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    terminate() {},
    send() {},
    ping() {},
    close() {
      socket.readyState = 2
    },
  })
  const connection = openStreamConnection({
    socket: socket as unknown as WebSocket,
    rawSocket: new PassThrough(),
    grant: { workspace_id: '1', key_id: '2', voice_id: null, max_characters: 10_000 } as never,
    requestId: 'any',
    query: { inactivity_timeout: 20 },
    checkVoice: async () => ({ voice: ada, language: 'en' }),
    orderBatch: (request: SynthesisRequest) => ({
      settle: (characters) => void billed.push(characters),
      chunks(take) {
        const speak = async () => {
          const [started, first, second, ...rest] = chunksOf(request)
          for (const chunk of [started!, first!, second!]) await take(chunk)
          onSent()
          await spokenOn
          for (const chunk of rest) await take(chunk)
        }
        spoken = speak()
        return spoken
      },
    }),
    logger: createLogger({ level: 'silent' }),
    startSpan: () => undefined,
    onFirstAudio() {},
    onContexts() {},
  })
  const say = (message: object) => socket.emit('message', Buffer.from(JSON.stringify(message)), false)
  say({ event: 'start', context_id: 'c', voice_id: '0'.repeat(32) })
  await new Promise(setImmediate)
  say({ event: 'text', context_id: 'c', text: words })
  say({ event: 'end', context_id: 'c' })
  await sent
  return {
    billed,
    connection,
    say,
    isOpen: () => socket.readyState === socket.OPEN,
    /** The client begins to close the connection, as `ws` does when it receives a close frame. */
    beginClose: () => socket.close(),
    hangUp: () => socket.emit('close', 1006),
    async speakOn() {
      speakOn()
      await spoken.catch(() => {})
    },
  }
}
type Open = Awaited<ReturnType<typeof openConnection>>

test.each<[string, (open: Open) => void]>([
  ['by the client', ({ say }) => say({ event: 'close' })],
  [
    'after too many messages',
    ({ say, isOpen }) => {
      // On a busy machine the limit refills while they are sent.
      while (isOpen()) say({ event: 'keepalive' })
    },
  ],
  [
    'after a revocation',
    ({ connection }) => connection.expel(new ServiceError('unauthorized', 'The key was revoked.')),
  ],
])(
  'a connection that is closed %s ends its speech at once, and bills the words that were sent',
  async (_how, close) => {
    const open = await openConnection()
    expect(open.billed).toEqual([])
    close(open)
    expect(open.billed).toEqual(['one two'.length])
    await open.speakOn()
    open.hangUp()
    expect(open.billed).toEqual(['one two'.length])
  },
)

test('a connection that is closed at its deadline ends its speech at once', async () => {
  const open = await openConnection()
  open.connection.drain(1)
  while (open.billed.length === 0) await new Promise(setImmediate)
  expect(open.billed).toEqual(['one two'.length])
  open.hangUp()
})

test('audio that is made while the client closes the connection is not sent, and not billed', async () => {
  const open = await openConnection()
  open.beginClose()
  await open.speakOn()
  expect(open.billed).toEqual(['one two'.length])
  open.hangUp()
})
