import { expectError } from './expect-error.js'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const hello = { text: 'Hello', voice_id: voiceId }
const tts = (body: unknown, options?: RequestInit) => gateway.post('/v1/tts', body, options)

test.each([
  ['nothing', {}, /^(text|voice_id): is required/],
  ['no voice', { text: 'Hello' }, /^voice_id: is required/],
  ['no object', [], /expected object/],
  ['null', null, /expected object/],
  ['a text that is not a string', { ...hello, text: 7 }, /^text: /],
  ['white space', { ...hello, text: ' \n\t' }, /^text: must not be blank/],
  ['a control character', { ...hello, text: 'a\u0000b' }, /^text: .*control/],
  ['an unknown field', { ...hello, voice: 'Ada' }, /voice/],
  ['an unknown field within', { ...hello, output: { format: 'wav', rate: 1 } }, /output\.rate/],
  ['a wrong type within', { ...hello, output: { sample_rate: '24000' } }, /^output\.sample_rate: /],
  ['a voice id of another shape', { ...hello, voice_id: 'Ada' }, /^voice_id: /],
  ['a speed beyond the limit', { ...hello, speed: 2.01 }, /^speed: /],
  ['a volume below the limit', { ...hello, volume: -1 }, /^volume: /],
  ['an unknown mode', { ...hello, response_mode: 'video' }, /^response_mode: /],
  ['an unknown alignment', { ...hello, response_mode: 'json', alignment: ['word', 'x'] }, /^alignment\.1: /],
])('%s is refused', async (_what, body, detail) => {
  await expectError(await tts(body), 'invalid_request', detail)
})

test.each([
  ['a text in a script that the voice does not know', 'مرحبا'],
  ['emoji alone', '👍🎉'],
])('%s is refused with the languages of the voice, and nothing is spoken or reserved', async (_what, text) => {
  const asOpenai = { model: 'tts-1', voice: 'Ada', input: text }
  await expectError(await tts({ ...hello, text }), 'text_not_speakable', 'Ada speaks en')
  await expectError(await gateway.post('/v1/audio/speech', asOpenai), 'text_not_speakable', 'Ada speaks en')
  expect(gateway.fakes.lastRequest).toBeUndefined()
  expect(gateway.reserver.holds).toEqual([])
})

test('a lone surrogate is refused', async () => {
  await expectError(await tts(`{"text":"\\ud800","voice_id":"${voiceId}"}`), 'invalid_request', /^text: .*surrogate/)
})

test('a key that would reach a prototype is refused', async () => {
  await expectError(
    await tts(`{"text":"a","voice_id":"${voiceId}","__proto__":{"x":1}}`),
    'invalid_request',
    '__proto__',
  )
  expect(({} as { x?: number }).x).toBeUndefined()
})

test('an output that its format does not have is refused', async () => {
  await expectError(await tts({ ...hello, output: { format: 'mp3', sample_rate: 8000 } }), 'unsupported_format')
})

test('alignment is refused for an audio response', async () => {
  await expectError(await tts({ ...hello, alignment: ['word'] }), 'alignment_requires_json')
})

test('5,001 code points are refused with text_too_long, even with other errors', async () => {
  await expectError(await tts({ text: 'x'.repeat(5001), nonsense: 1 }), 'text_too_long')
  await expectError(await tts({ ...hello, text: '😀'.repeat(5001) }), 'text_too_long')
})

test('5,000 code points are spoken, in any encoding of the JSON', async () => {
  const escaped = '\\ud835\\udc00'.repeat(5000)
  const response = await tts(`{"text":"${escaped}","voice_id":"${voiceId}"}`)
  expect(await response.text()).toBe('𝐀'.repeat(5000))
  expect(response.headers.get('x-characters-billed')).toBe('5000')
})

test('a caller that does not accept the requested format is refused', async () => {
  const headers = { accept: 'text/html' }
  await expectError(await tts(hello, { headers }), 'not_acceptable', 'audio/mpeg')
  await expectError(await tts({ ...hello, response_mode: 'sse' }, { headers }), 'not_acceptable', 'text/event-stream')
})

test.each(['*/*;q=0', '*/*; q=0.0, text/html', 'audio/*;q=0, application/octet-stream;q=0, */*'])(
  'a caller that excludes the response by accept: %s is refused',
  async (accept) => {
    await expectError(await tts(hello, { headers: { accept } }), 'not_acceptable')
  },
)

test.each([
  'audio/mpeg',
  'audio/*',
  '*/*;q=0.1',
  'application/octet-stream',
  'text/html, audio/mpeg;q=0.5',
  '*/*;q=0, audio/mpeg',
])('a caller that accepts %s is served', async (accept) => {
  const response = await tts(hello, { headers: { accept } })
  expect(response.status).toBe(200)
  await response.arrayBuffer()
})
