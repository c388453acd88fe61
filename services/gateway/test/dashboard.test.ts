import { Validator } from '@seriousme/openapi-schema-validator'
import { createDashboardDocument } from '../src/openapi/document.js'
import { dashboardRoutes } from '../src/routes/dashboard/dashboard-routes.js'
import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { auditEntry } from './fake-audit.js'
import { cookieOf, personId } from './fake-people.js'
import { fakeEngine, keyId, otherWorkspaceId, voicesReply, workspaceId } from './fake-services.js'
import { as, sendTo } from './member-requests.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway({ publicUrl: 'https://speech.example.com', trustedProxies: ['127.0.0.1'] })
})
afterAll(() => gateway.close())

const send = sendTo(() => gateway)

const keyRoutes = [
  ['GET', '/dashboard/api/keys', undefined, 200],
  ['POST', '/dashboard/api/keys', { label: 'Web site' }, 201],
  ['DELETE', `/dashboard/api/keys/${keyId}`, undefined, 200],
  ['GET', '/dashboard/api/audit-log', undefined, 200],
  ['PATCH', '/dashboard/api/settings', { name: 'Acme' }, 200],
] as const

test.each(keyRoutes)('%s %s is only for Owners and Admins', async (method, path, body, status) => {
  for (const role of ['owner', 'admin'] as const) {
    expect((await send(method, path, as(role), body)).status).toBe(status)
  }
  await expectError(await send(method, path, as('member'), body), 'forbidden_role')
  await expectError(await send(method, path, { 'x-parlance-workspace': workspaceId }, body), 'unauthorized')
  await expectError(await send(method, path, as('owner', otherWorkspaceId), body), 'not_found')
})

test('a page of another origin cannot act, because the header of the workspace is required', async () => {
  const { cookie } = as('owner')
  await expectError(await send('POST', '/dashboard/api/keys', { cookie }, { label: 'Evil' }), 'invalid_request')
  const preflight = await send('OPTIONS', '/dashboard/api/keys', { origin: 'https://evil.example.com' })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
})

test('a new key is shown with its value; a label that is missing or of a wrong type is refused', async () => {
  const created = await send('POST', '/dashboard/api/keys', as('admin'), { label: 'Web site' })
  expect(await created.json()).toMatchObject({ label: 'Web site', key: 'awp_dev_new' })
  for (const body of [{}, { label: 7 }, { label: '' }, { label: 'a', more: 1 }]) {
    await expectError(await send('POST', '/dashboard/api/keys', as('admin'), body), 'invalid_request')
  }
  await expectError(await send('DELETE', '/dashboard/api/keys/none', as('admin')), 'not_found')
})

test('every route that takes a key exists for members, with the cookie and not with a key', async () => {
  const response = await send('GET', '/dashboard/api/v1/voices', as('member'))
  expect(await response.text()).toBe(voicesReply)
  const { url } = gateway
  const withKey = await gateway.get('/dashboard/api/v1/voices', { 'x-parlance-workspace': workspaceId })
  expect([url.length > 0, withKey.status]).toEqual([true, 401])
  // The public API takes no cookie.
  await expectError(await send('GET', '/v1/voices', as('owner')), 'unauthorized')
})

test('a member mints a token for the draft of an Agent, as the user of the conversation, and a key cannot', async () => {
  const path = `/dashboard/api/agents/${agentId}/draft-session-tokens`
  const minted = await send('POST', path, as('member'), { variables: { name: 'Ada' } })
  expect([minted.status, minted.headers.get('cache-control')]).toEqual([201, 'no-store'])
  expect(await minted.json()).toMatchObject({ token: 'awst_minted', agent_id: agentId })
  expect(gateway.tokenRequests.mintDraftSessionToken).toMatchObject({
    ...{ workspace_id: workspaceId, agent_id: agentId, end_user_id: personId, variables: { name: 'Ada' } },
  })
  expect((await send('POST', path, as('member'))).status).toBe(201)
  await expectError(await send('POST', path, as('member'), { end_user_id: personId }), 'invalid_request')
  expect((await gateway.post(path, {}, { headers: { 'x-parlance-workspace': workspaceId } })).status).toBe(401)
  await expectError(await send('POST', path, as('owner', otherWorkspaceId)), 'not_found')
})

test('a member reads the settings, in which a service that does not respond is down', async () => {
  const response = await send('GET', '/dashboard/api/settings', as('member'))
  expect(await response.json()).toMatchObject({
    workspace: { id: workspaceId, max_concurrent_sessions: 0 },
    requests_per_minute: 1_000_000,
    installation: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), key_environment: 'dev', engines: [fakeEngine] },
  })
  const services = async () => {
    const read = await (await send('GET', '/dashboard/api/settings', as('member'))).json()
    const { installation } = read as { installation: { services: { name: string; up: boolean }[] } }
    return Object.fromEntries(installation.services.map(({ name, up }) => [name, up]))
  }
  const names = ['agents', 'auth', 'catalog', 'end-users', 'sessions', 'tokens', 'webhooks']
  expect(await services()).toEqual(Object.fromEntries(names.map((name) => [name, true])))
  await gateway.stopWebhooks()
  expect(await services()).toMatchObject({ webhooks: false, agents: true })
  await expectError(
    await send('GET', '/dashboard/api/settings', { 'x-parlance-workspace': workspaceId }),
    'unauthorized',
  )
  await expectError(await send('GET', '/dashboard/api/settings', as('owner', otherWorkspaceId)), 'not_found')
})

test('a workspace is renamed as the acting person, with a trimmed name, and no other field can be changed', async () => {
  const renamed = await send('PATCH', '/dashboard/api/settings', as('admin'), { name: ' Acme of the north ' })
  expect(await renamed.json()).toMatchObject({ id: workspaceId, name: 'Acme of the north' })
  const asked = { workspace_id: workspaceId, name: 'Acme of the north', person_id: personId }
  expect(gateway.fakes.changes.at(-1)).toEqual(asked)
  const more = [{ max_concurrent_sessions: 0 }, { capabilities: ['agents'] }].map((one) => ({ name: 'a', ...one }))
  for (const body of [{}, { name: '  ' }, { name: 'a'.repeat(201) }, ...more]) {
    await expectError(await send('PATCH', '/dashboard/api/settings', as('owner'), body), 'invalid_request')
  }
})

test('the audit log is read by page, action and actor', async () => {
  const path = `/dashboard/api/audit-log?limit=5&cursor=abc&action=api_key.created&actor=operator`
  const response = await send('GET', path, as('admin'))
  expect(await response.json()).toEqual({ entries: [auditEntry], next_cursor: null })
  const asked = { limit: 5, cursor: 'abc', action: 'api_key.created', actor: 'operator' }
  expect(gateway.auditRequests.at(-1)).toEqual({ workspace_id: workspaceId, ...asked })
  for (const query of ['action=slept', 'actor=ada', 'limit=0', 'order=asc']) {
    await expectError(await send('GET', `/dashboard/api/audit-log?${query}`, as('admin')), 'invalid_request')
  }
})

test('the identity providers are listed for people who are not signed in', async () => {
  const response = await send('GET', '/dashboard/api/identity-providers', {})
  expect(await response.json()).toEqual({ providers: [{ id: 'oidc', name: 'Acme' }], passkeys: true, sends_mail: true })
})

test('the signed-in person is read without a workspace', async () => {
  const response = await send('GET', '/dashboard/api/signed-in', { cookie: cookieOf('admin') })
  expect(await response.json()).toMatchObject({ person: { name: 'Ada' }, workspaces: [{ role: 'admin' }] })
  await expectError(await send('GET', '/dashboard/api/signed-in', {}), 'unauthorized')
})

test('an account request is passed on completely, with the client’s address, and all cookies of the response are set', async () => {
  const headers = { origin: 'https://speech.example.com', 'x-forwarded-for': '192.0.2.7' }
  const response = await send('POST', '/dashboard/auth/sign-in/email?x=1', headers, { email: 'ada@example.com' })
  expect(await response.json()).toEqual({ ok: true })
  expect(response.headers.getSetCookie()).toEqual(['first=1; Path=/', 'second=2; Path=/'])
  expect(response.headers.get('x-internal')).toBeNull()
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(gateway.peopleRequests.at(-1)).toMatchObject({
    method: 'POST',
    url: 'https://speech.example.com/dashboard/auth/sign-in/email?x=1',
    headers: { origin: 'https://speech.example.com' },
    body: '{"email":"ada@example.com"}',
    client_address: '192.0.2.7',
  })
})

test('a failed link redirects a browser to the page "Sign in" with the reason, and is an error for a program', async () => {
  const follow = (accept: string) =>
    fetch(`${gateway.url}/dashboard/auth/callback/oidc?code=unavailable`, { redirect: 'manual', headers: { accept } })
  const browser = await follow('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/sign-in?error=unavailable'])
  await expectError(await follow('*/*'), 'unavailable')
})

test('a client address is trusted only from a trusted proxy', async () => {
  const direct = await openGateway()
  await fetch(`${direct.url}/dashboard/auth/get-session`, { headers: { 'x-forwarded-for': '192.0.2.7' } })
  expect(direct.peopleRequests.at(-1)).toMatchObject({ client_address: '127.0.0.1' })
  await direct.close()
})

test('an invitation is read, and creates a person', async () => {
  const path = '/dashboard/api/invitations/9b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
  expect(await (await send('GET', path, {})).json()).toMatchObject({ workspace: 'Test', has_account: false })
  const person = { name: 'Ada', password: 'a long enough password' }
  expect((await send('POST', `${path}/person`, {}, person)).status).toBe(201)
  await expectError(await send('POST', `${path}/person`, {}, { ...person, password: 'short' }), 'invalid_request')
  await expectError(await send('GET', `/dashboard/api/invitations/${keyId}`, {}), 'not_found')
  await expectError(await send('GET', '/dashboard/api/invitations/none', {}), 'not_found')
})

test('the document of the dashboard is served', async () => {
  for (const _ of [1, 2]) {
    const document = await (await send('GET', '/dashboard/api/openapi.json', {})).json()
    expect(document).toEqual(JSON.parse(JSON.stringify(createDashboardDocument(dashboardRoutes))))
  }
})

test('the document of the dashboard is valid OpenAPI 3.1 and has every route of it', async () => {
  const document = createDashboardDocument(dashboardRoutes)
  expect(await new Validator().validate({ ...structuredClone(document) })).toMatchObject({ valid: true })
  const described = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  const paths = dashboardRoutes.map(({ method, path }) => `${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`)
  expect(described.sort()).toEqual(paths.sort())
})
