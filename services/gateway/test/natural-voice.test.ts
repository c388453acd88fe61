import { expectError } from './expect-error.js'
import { offeredPage } from './offered-page.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const path = '/play/natural-voice'

describe('a gateway that installs no voices', () => {
  test('names the command where no voice is natural, and nothing where one is', async () => {
    const response = await gateway.get(`${path}?languages=en-US,en`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { command: 'npx parlance models search --kind tts', voice: null },
    ])
    gateway.fakes.voices = offeredPage
    expect((await gateway.get(`${path}?languages=en-US,en`)).status).toBe(204)
  })

  test('refuses languages that are no tags, and an installation', async () => {
    await expectError(await gateway.get(`${path}?languages=no language`), 'invalid_request', /^languages/)
    const { origin } = new URL(gateway.url)
    const body = { name: 'en_US-joe-medium', accept_license: true }
    await expectError(await gateway.post(path, body, { headers: { origin } }), 'not_found', /npx parlance/)
  })

  test('asks for a key', async () => {
    await expectError(await fetch(`${gateway.url}${path}?languages=en`), 'unauthorized')
  })
})
