import { expectError } from './expect-error.js'
import { keys, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const withKey = (key: string) => ({ authorization: `Bearer ${key}` })

const routes = [
  ['GET', '/v1/voices'],
  ['GET', '/v1/avatars'],
  ['POST', '/v1/tts'],
  ['POST', '/v1/audio/speech'],
] as const

describe.each(routes)('%s %s', (method, path) => {
  const ask = (headers: Record<string, string>) => fetch(`${gateway.url}${path}`, { method, headers })

  test('without a key is 401', async () => {
    const response = await ask({})
    await expectError(response, 'unauthorized')
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  test.each(['Bearer sk-123', 'Basic YTpi', 'awp_dev_good', 'Bearer', 'Bearer  '])(
    'with "%s" is 401',
    async (authorization) => {
      await expectError(await ask({ authorization }), 'unauthorized')
    },
  )

  test('of a suspended workspace is 403, also when it lacks the capability', async () => {
    await expectError(await ask(withKey(keys.suspended)), 'organization_suspended')
    await expectError(await ask(withKey(keys.suspendedWithoutTts)), 'organization_suspended')
  })

  test('while keys cannot be checked is 503, not 401', async () => {
    await expectError(await ask(withKey(keys.unreachable)), 'unavailable')
  })

  test('while the check itself fails is 500 without details', async () => {
    const body = await expectError(await ask(withKey(keys.broken)), 'internal_error')
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

test.each(['/v1/tts', '/v1/audio/speech'])('POST %s needs the capability tts, with any body', async (path) => {
  const headers = { ...withKey(keys.withoutTts), 'content-type': 'text/plain' }
  await expectError(
    await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: '{' }),
    'capability_disabled',
    'tts',
  )
})

test('catalogs are open to a key of any capability', async () => {
  expect((await gateway.get('/v1/voices', withKey(keys.withoutTts))).status).toBe(200)
})

test('no log line contains a key, and a request line names the workspace', async () => {
  await gateway.get(`/v1/voices?key=${keys.good}`)
  expect(JSON.stringify(gateway.lines)).not.toContain('awp_dev')
  while (!gateway.lines.some(({ msg }) => msg === 'A request ended')) await new Promise((wait) => setImmediate(wait))
  expect(gateway.lines).toContainEqual(
    expect.objectContaining({ msg: 'A request ended', route: '/v1/voices', workspaceId }),
  )
})
