import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { slowVoiceTag } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { chunksOf, keys, voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const hello = { text: 'Hello', voice_id: voiceId }
/** Longer than the deadline for the first audio of a usual voice, and than an idle connection stays open. */
const slownessMs = 900

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway({ firstAudioDeadlineMs: 400, stalledAfterMs: 400 })
  gateway.fakes.synthesize = async function* (request) {
    const [started, ...rest] = chunksOf(request)
    await delay(slownessMs)
    yield started!
    await delay(slownessMs)
    yield* rest
  }
})
afterEach(() => gateway.close())

test('a voice that is not slow times out when its first audio is late', async () => {
  await expectError(await gateway.post('/v1/tts', hello), 'upstream_timeout')
})

test.each(['audio', 'sse', 'json'])(
  'a slow voice is awaited, and its gaps do not end the connection (%s)',
  async (mode) => {
    gateway.fakes.tags = [slowVoiceTag]
    const response = await gateway.post('/v1/tts', { ...hello, response_mode: mode })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(mode === 'audio' ? 'Hello' : Buffer.from('Hello').toString('base64'))
  },
)

test('the preview of a slow voice is awaited', async () => {
  gateway.fakes.tags = [slowVoiceTag]
  expect((await gateway.get(`/v1/voices/${voiceId}/preview`)).status).toBe(200)
})

test('a client that does not read its audio is disconnected', async () => {
  const ended = new Promise<void>((resolve) => {
    gateway.fakes.synthesize = async function* (request) {
      const [started, audio] = chunksOf(request, new Uint8Array(4096))
      try {
        yield started!
        for (;;) yield audio!
      } finally {
        resolve()
      }
    }
  })
  const socket = connect(gateway.server.port, '127.0.0.1')
  const body = JSON.stringify(hello)
  const head = ['POST /v1/tts HTTP/1.1', 'host: test', `authorization: Bearer ${keys.good}`]
  const type = ['content-type: application/json', `content-length: ${body.length}`, '', body]
  socket.pause().write([...head, ...type].join('\r\n'))
  await ended
  socket.destroy()
})
