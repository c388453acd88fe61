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
    const install = (role: 'admin' | 'member') => fetch(memberPath, { method: 'POST', headers: as(role), body })
    await expectError(await install('member'), 'forbidden_role')
    await expectError(await install('admin'), 'not_found', /npx parlance/)
  })
})
