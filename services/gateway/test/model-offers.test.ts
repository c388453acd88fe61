import { expectError } from './expect-error.js'
import { cookieOf } from './fake-people.js'
import { voicesReply, workspaceId } from './fake-services.js'
import { offeredPage } from './offered-page.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const path = '/try/natural-voice'

describe('a gateway that installs no voices', () => {
  test('returns the command when there is no natural voice, and nothing when there is one', async () => {
    const response = await gateway.get(`${path}?languages=en-US,en`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { command: 'npx parlance models search --kind tts', voice: null },
    ])
    gateway.fakes.voices = offeredPage
    expect((await gateway.get(`${path}?languages=en-US,en`)).status).toBe(204)
  })

  test('returns the command for a language that no recognizer or only a slow one knows, and nothing for any other', async () => {
    const search = { command: 'npx parlance models search --kind stt', recognizer: null }
    const ask = async (language: string) => {
      const response = await gateway.get(`/try/recognizer?language=${language}`)
      return response.status === 204 ? 204 : [response.status, await response.json()]
    }
    const { transcription } = gateway
    const { recognizers } = transcription
    try {
      transcription.recognizers = []
      expect(await ask('en')).toEqual([200, search])
      transcription.recognizers = [{ name: 'moonshine', languages: ['en'], is_slow: true }]
      expect(await ask('en')).toEqual([200, search])
      transcription.recognizers.push({ name: 'whisper', languages: ['en-US'], is_slow: false })
      expect([await ask('en-GB'), await ask('de')]).toEqual([204, [200, search]])
      transcription.recognizers.push({ name: 'any', languages: null, is_slow: false })
      expect(await ask('de')).toBe(204)
    } finally {
      transcription.recognizers = recognizers
    }
  })

  test('refuses invalid language tags, and an installation', async () => {
    await expectError(await gateway.get(`${path}?languages=no language`), 'invalid_request', /^languages/)
    const { origin } = new URL(gateway.url)
    const body = { name: 'en_US-joe-medium', accept_license: true }
    await expectError(await gateway.post('/try/models', body, { headers: { origin } }), 'not_found', /npx parlance/)
  })

  test('requires a key', async () => {
    await expectError(await fetch(`${gateway.url}${path}?languages=en`), 'unauthorized')
  })

  test('requires the role of an Admin to install', async () => {
    const memberPath = `${gateway.url}/dashboard/api${path}`
    const { origin } = new URL(gateway.url)
    const as = (role: 'admin' | 'member') => ({
      ...{ cookie: cookieOf(role), 'x-parlance-workspace': workspaceId, 'content-type': 'application/json', origin },
    })
    gateway.fakes.voices = voicesReply
    const found = await fetch(`${memberPath}?languages=en`, { headers: as('member') })
    expect([found.status, await found.json()]).toEqual([200, expect.objectContaining({ voice: null })])
    const body = JSON.stringify({ name: 'en_US-joe-medium', accept_license: true })
    const installPath = `${gateway.url}/dashboard/api/try/models`
    const install = (role: 'admin' | 'member') => fetch(installPath, { method: 'POST', headers: as(role), body })
    await expectError(await install('member'), 'forbidden_role')
    await expectError(await install('admin'), 'not_found', /npx parlance/)
  })
})
