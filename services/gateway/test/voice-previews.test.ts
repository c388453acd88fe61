import { ServiceError } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { chunksOf, spoken, voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
let made: { text: string; variant: string | null; language: string | null }[]
beforeEach(async () => {
  gateway = await openGateway()
  made = []
  gateway.fakes.synthesize = (request) => {
    made.push(request)
    return spoken(request)
  }
})
afterEach(() => gateway.close())

const path = `/v1/voices/${voiceId}/preview`
const text = 'Hello! This is how my voice sounds when I read something to you.'

test('a preview is an MP3 in the language of the voice, synthesized once for all requests', async () => {
  const answers = await Promise.all([gateway.get(path), gateway.get(path)])
  for (const response of [...answers, await gateway.get(path)]) {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(response.headers.get('cache-control')).toBe('private, max-age=86400')
    // The fake speech is the text itself.
    expect(await response.text()).toBe(text)
  }
  expect(made).toMatchObject([{ text, voice: voiceId, variant: 'standard', language: 'en' }])
})

test('each variant has a preview, and a client that has it receives no audio', async () => {
  const etag = (await gateway.get(path)).headers.get('etag')!
  expect(await (await gateway.get(`${path}?variant=expensive`)).text()).toBe(text)
  expect(made.map(({ variant }) => variant)).toEqual(['standard', 'expensive'])
  const again = await gateway.get(path, { 'if-none-match': etag })
  expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' })
  expect(again.headers.get('etag')).toBe(etag)
})

test('a failed preview is synthesized again for the next request', async () => {
  gateway.fakes.synthesize = async function* (request) {
    yield chunksOf(request)[0]!
    throw new ServiceError('upstream_error', 'The engine failed.')
  }
  await expectError(await gateway.get(path), 'upstream_error')
  gateway.fakes.synthesize = (request) => spoken(request)
  expect((await gateway.get(path)).status).toBe(200)
})

test('a preview requires a key, and a voice and a variant that exist', async () => {
  await expectError(await fetch(`${gateway.url}${path}`), 'unauthorized')
  await expectError(await gateway.get(`/v1/voices/${'0'.repeat(32)}/preview`), 'voice_not_found')
  await expectError(await gateway.get('/v1/voices/Ada/preview'), 'invalid_request', /^voiceId/)
  await expectError(
    await gateway.get(`${path}?variant=loud`),
    'invalid_request',
    /^variant: the voice Ada has standard/,
  )
  await expectError(await gateway.get(`${path}?text=hello`), 'invalid_request', /text/)
  expect(made).toEqual([])
})
