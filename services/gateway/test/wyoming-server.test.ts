import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createLogger } from '@parlance/telemetry'
import { createWyomingReader, type WyomingEvent, wyomingBytes } from '../src/wyoming/wyoming-event.js'
import { openWyomingServer } from '../src/wyoming/wyoming-server.js'
import { keys } from './fake-services.js'
import { ada } from './fake-voice.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
let server: Awaited<ReturnType<typeof openWyomingServer>>
let socket: Socket
beforeEach(async () => {
  gateway = await openGateway()
  gateway.fakes.voices = JSON.stringify({ voices: [ada], next_cursor: null })
  server = await openWyomingServer({
    ...gateway.clients,
    ...{ host: '127.0.0.1', port: 0, apiKey: keys.good, gatewayUrl: gateway.url, version: '1' },
    logger: createLogger({ level: 'silent' }),
  })
})
afterEach(async () => {
  socket.destroy()
  await server.stop(0)
  await gateway.close()
})

/** A client. `until` resolves to all events so far, once there is one of this type. */
const open = () => {
  socket = connect(server.port, '127.0.0.1')
  const received: WyomingEvent[] = []
  socket.on(
    'data',
    createWyomingReader((event) => void received.push(event)),
  )
  return {
    send: (...events: WyomingEvent[]) => {
      for (const event of events) socket.write(wyomingBytes(event))
    },
    async until(type: string): Promise<readonly WyomingEvent[]> {
      while (!received.some((event) => event.type === type)) await once(socket, 'data')
      return received
    },
  }
}
const typesOf = (events: readonly WyomingEvent[]) => events.map(({ type }) => type)

test('a text is spoken: its audio is between a start and a stop', async () => {
  const { send, until } = open()
  send({ type: 'synthesize', data: { text: 'Hello there.', voice: { name: ada.id } } })
  const events = await until('audio-stop')
  expect(typesOf(events)).toEqual(['audio-start', 'audio-chunk', 'audio-stop'])
  expect(events[0]!.data).toMatchObject({ width: 2, channels: 1 })
  expect(Buffer.from(events[1]!.payload!).toString()).toBe('Hello there.')
})

test('an error of the speech is sent, and the client may go on', async () => {
  const { send, until } = open()
  send(
    { type: 'synthesize-start', data: { voice: { name: ada.id } } },
    { type: 'synthesize-chunk', data: { text: '…' } },
    { type: 'synthesize-stop' },
  )
  expect((await until('error')).at(-1)).toMatchObject({ data: { code: 'text_not_speakable' } })
  send({ type: 'ping' })
  expect(typesOf(await until('pong'))).toEqual(['audio-start', 'error', 'pong'])
})

const audio: readonly WyomingEvent[] = [
  { type: 'audio-start', data: { rate: 16_000, width: 2, channels: 1 } },
  { type: 'audio-chunk', payload: new Uint8Array(32_000) },
  { type: 'audio-stop' },
]

test('audio is recognized: the transcript comes at its end', async () => {
  const { send, until } = open()
  send({ type: 'transcribe', data: { language: 'en' } }, ...audio)
  const events = await until('transcript-stop')
  expect(typesOf(events)).toEqual(['transcript-start', 'transcript', 'transcript-stop'])
  expect(events[1]!.data).toEqual({ text: '', language: 'en' })
})

test.each([
  ['en', ['Good morning.', 'How are you?'], ' How are you?', 'Good morning. How are you?'],
  ['ja', ['おはよう。', '元気ですか。'], '元気ですか。', 'おはよう。元気ですか。'],
])('utterances in %s are joined as that language is written', async (language, utterances, second, whole) => {
  gateway.transcription.utterances = utterances
  const { send, until } = open()
  send({ type: 'transcribe', data: { language } }, ...audio)
  const texts = (await until('transcript-stop'))
    .filter(({ type }) => type.startsWith('transcript'))
    .map(({ type, data }) => [type, data?.text])
  expect(texts).toEqual([
    ['transcript-start', undefined],
    ['transcript-chunk', utterances[0]],
    ['transcript-chunk', second],
    ['transcript', whole],
    ['transcript-stop', undefined],
  ])
})
