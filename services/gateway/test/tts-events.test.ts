import { ServiceError } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { chunksOf, voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

const hello = { text: 'Hello', voice_id: voiceId }
const tts = (body: unknown, options?: RequestInit) => gateway.post('/v1/tts', body, options)

/** The events of an event stream, with their data. */
const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [event, data] = block.split('\n') as [string, string]
      return { name: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
    })

describe('response_mode sse', () => {
  test('sends audio, alignment and done as events', async () => {
    const response = await tts({ ...hello, response_mode: 'sse', alignment: ['phoneme'] })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = eventsOf(await response.text())
    expect(events).toEqual([
      {
        name: 'audio',
        data: { event: 'audio', seq: 0, segment: 0, start_ms: 0, duration_ms: 100, data: btoa('Hello') },
      },
      {
        name: 'alignment',
        data: {
          event: 'alignment',
          segment: 0,
          words: [],
          phonemes: [{ text: 'a', start_ms: 0, end_ms: 100 }],
          visemes: [],
        },
      },
      { name: 'done', data: { event: 'done', audio_duration_ms: 100, characters_billed: 5, ttfa_ms: 3.25 } },
    ])
  })

  test('sends no alignment that was not requested', async () => {
    const events = eventsOf(await (await tts({ ...hello, response_mode: 'sse' })).text())
    expect(events.map(({ name }) => name)).toEqual(['audio', 'done'])
  })

  test('a failure after the first audio is the last event', async () => {
    gateway.fakes.synthesize = async function* (request) {
      yield* chunksOf(request).slice(0, 2)
      throw new ServiceError('upstream_error', 'The engine ended.')
    }
    const response = await tts({ ...hello, response_mode: 'sse' })
    const events = eventsOf(await response.text())
    expect(events.map(({ name }) => name)).toEqual(['audio', 'error'])
    expect(events[1]?.data).toEqual({
      event: 'error',
      request_id: response.headers.get('x-request-id'),
      code: 'upstream_error',
      retryable: true,
      detail: 'The engine ended.',
    })
  })

  test('a failure before the first audio is a status', async () => {
    gateway.fakes.synthesize = async function* () {
      throw new ServiceError('voice_not_found', 'There is no such voice.')
    }
    await expectError(await tts({ ...hello, response_mode: 'sse' }), 'voice_not_found')
  })
})
