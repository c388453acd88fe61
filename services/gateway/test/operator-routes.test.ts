import { type ModelAdministration, ServiceError } from '@parlance/contracts'
import { dashboardRoutes } from '../src/routes/dashboard/dashboard-routes.js'
import { expectError } from './expect-error.js'
import { cookieOf, operatorCookie, personId } from './fake-people.js'
import { otherWorkspaceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const model = {
  name: 'joe',
  kind: 'tts' as const,
  display_name: 'Joe',
  languages: ['en-US'],
  license: 'CC0-1.0',
  size_bytes: 63,
}
const progress = { event: 'progress', file: 'joe.onnx', received_bytes: 1, total_bytes: null } as const

/** Has one model. An installation fails after its first event when the name is `broken`. */
const modelAdministration: ModelAdministration = {
  listInstalled: async () => [{ ...model, problems: [] }],
  listInstallable: async () => [{ ...model, license_source: 'https://example.com', license_lineage: null }],
  recommend: async (languages) => ({ tts: languages[0] === 'en-US' ? model.name : null, stt: null }),
  async install(name, onEvent) {
    if (name === 'unknown') throw new ServiceError('not_found', 'There is no such model.')
    onEvent(progress)
    if (name === 'broken') throw new ServiceError('upstream_error', 'The server does not have the file.')
    onEvent({ event: 'installed', name, license: 'CC0-1.0', size_bytes: 63 })
  },
  async remove(name) {
    if (name !== 'a model') throw new ServiceError('not_found', 'There is no such model.')
  },
}

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway({ modelAdministration })
})
afterAll(() => gateway.close())

const send = (method: string, path: string, cookie: string | undefined, body?: object) =>
  fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      'x-parlance-workspace': otherWorkspaceId,
      ...(cookie !== undefined && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const workspaces = '/dashboard/api/operator/workspaces'
const models = '/dashboard/api/operator/models'
const grants = `${workspaces}/${workspaceId}/credit-grants`
const grant = { id: '6f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', amount: '50.000000001', reason: 'Invoice 17' }

/** Every route for operators: its path in the list of routes, and a valid request. */
const operatorRoutes = [
  ['GET', '/dashboard/api/operator/workspaces', workspaces, undefined],
  ['PATCH', '/dashboard/api/operator/workspaces/:workspaceId', `${workspaces}/${workspaceId}`, { suspended: true }],
  ['POST', '/dashboard/api/operator/workspaces/:workspaceId/credit-grants', grants, grant],
  ['GET', '/dashboard/api/operator/models', models, undefined],
  ['GET', '/dashboard/api/operator/model-catalog', '/dashboard/api/operator/model-catalog', undefined],
  ['POST', '/dashboard/api/operator/models', models, { name: 'joe', accept_license: true }],
  ['DELETE', '/dashboard/api/operator/models/:name', `${models}/a%20model`, undefined],
] as const

test('the table has all routes for operators', () => {
  const listed = dashboardRoutes.filter(({ path }) => path.startsWith('/dashboard/api/operator/'))
  expect(listed.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    operatorRoutes.map(([method, path]) => `${method} ${path}`).sort(),
  )
})

test.each(operatorRoutes)(
  '%s %s is only for operators, and not for other people with any role',
  async (method, _, path, body) => {
    expect((await send(method, path, operatorCookie, body)).status).toBe(method === 'DELETE' ? 204 : 200)
    for (const role of ['owner', 'admin', 'member'] as const) {
      await expectError(await send(method, path, cookieOf(role), body), 'forbidden_role')
    }
    await expectError(await send(method, path, undefined, body), 'unauthorized')
    const withoutHeader = await fetch(`${gateway.url}${path}`, { method, headers: { cookie: operatorCookie } })
    await expectError(withoutHeader, 'invalid_request')
    const withKey = await gateway.get(path, { 'x-parlance-workspace': workspaceId })
    expect([401, 405]).toContain(withKey.status)
  },
)

test('workspaces are listed with their credit, by page and by a part of the name', async () => {
  const response = await send('GET', `${workspaces}?limit=5&cursor=abc&search=acme`, operatorCookie)
  expect(await response.json()).toMatchObject({
    workspaces: [{ id: workspaceId, balance: '12.40', reserved: '0.10', suspended: false }],
    next_cursor: null,
  })
  expect(gateway.fakes.changes.at(-1)).toEqual({ limit: 5, cursor: 'abc', search: 'acme' })
  await expectError(await send('GET', `${workspaces}?order=asc`, operatorCookie), 'invalid_request')
})

test('credit is granted exactly, with the reason, in the name of the operator', async () => {
  const response = await send('POST', grants, operatorCookie, grant)
  expect(await response.json()).toMatchObject({ balance: '62.40', replayed: false })
  const { id, ...asked } = grant
  expect(gateway.creditRequests.grant).toEqual({
    ...{ workspace_id: workspaceId, reference: id, person_id: personId },
    ...asked,
  })
  const wrong = [{ amount: 50 }, { amount: '-1' }, { amount: '0.0000000001' }, { reason: ' ' }, { id: '' }]
  for (const one of wrong) {
    await expectError(await send('POST', grants, operatorCookie, { ...grant, ...one }), 'invalid_request')
  }
  const unknown = `${workspaces}/${otherWorkspaceId}/credit-grants`
  await expectError(await send('POST', unknown, operatorCookie, grant), 'not_found')
})

test('only operators change the capabilities of a workspace, to known ones, in their own name', async () => {
  const path = `${workspaces}/${workspaceId}`
  const before = gateway.fakes.changes.length
  for (const role of ['owner', 'admin', 'member'] as const) {
    await expectError(await send('PATCH', path, cookieOf(role), { capabilities: ['tts', 'agents'] }), 'forbidden_role')
  }
  expect(gateway.fakes.changes).toHaveLength(before)
  for (const capabilities of [['tts'], []]) {
    expect((await send('PATCH', path, operatorCookie, { capabilities })).status).toBe(200)
    expect(gateway.fakes.changes.at(-1)).toEqual({ workspace_id: workspaceId, person_id: personId, capabilities })
  }
  for (const capabilities of [['video'], 'tts', null]) {
    await expectError(await send('PATCH', path, operatorCookie, { capabilities }), 'invalid_request', 'capabilities')
  }
})

test('a workspace is suspended and gets limits in the name of the operator, who cannot rename it', async () => {
  const path = `${workspaces}/${workspaceId}`
  const changes = { suspended: true, max_concurrent_streams: 0 }
  expect(await (await send('PATCH', path, operatorCookie, changes)).json()).toMatchObject({ suspended: true })
  expect(gateway.fakes.changes.at(-1)).toEqual({ workspace_id: workspaceId, person_id: personId, ...changes })
  await expectError(await send('PATCH', path, operatorCookie, { name: 'Theirs' }), 'invalid_request')
  await expectError(await send('PATCH', `${workspaces}/none`, operatorCookie, {}), 'not_found')
})

test('a model is installed with one event per line, and the last line of a failed installation is its error', async () => {
  const install = (name: string, more: object = { accept_license: true }) =>
    send('POST', models, operatorCookie, { name, ...more })
  const linesOf = async (response: Response) =>
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const response = await install('joe')
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  expect(await linesOf(response)).toEqual([progress, expect.objectContaining({ event: 'installed', name: 'joe' })])
  expect(await linesOf(await install('broken'))).toMatchObject([progress, { event: 'error', code: 'upstream_error' }])
  await expectError(await install('unknown'), 'not_found')
  await expectError(await install('joe', {}), 'invalid_request')
  await expectError(await send('DELETE', `${models}/joe`, operatorCookie), 'not_found')
})

test('a gateway without the models folder lists, installs and removes no models', async () => {
  const other = await openGateway()
  const headers = { cookie: operatorCookie, 'x-parlance-workspace': workspaceId, 'content-type': 'application/json' }
  const call = (method: string, path: string, body?: string) =>
    fetch(`${other.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  expect(await (await call('GET', models)).json()).toEqual({ is_managed: false, models: [] })
  expect(await (await call('GET', '/dashboard/api/operator/model-catalog')).json()).toEqual({
    ...{ models: [], recommended: { tts: null, stt: null } },
  })
  const body = JSON.stringify({ name: 'joe', accept_license: true })
  await expectError(await call('POST', models, body), 'not_found', /npx parlance models install/)
  await expectError(await call('DELETE', `${models}/joe`), 'not_found')
  await other.close()
})
