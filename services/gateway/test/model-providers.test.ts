import { expectError } from './expect-error.js'
import { modelProvider, modelServers } from './fake-model-providers.js'
import { keyId, otherWorkspaceId, workspaceId } from './fake-services.js'
import { as, sendTo } from './member-requests.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const path = '/dashboard/api/providers'
const send = sendTo(() => gateway)

const provider = { kind: 'openai_compatible', name: 'Our server', url: 'https://models.example.com/v1', key: 'a-key' }
const changes = [
  ['POST', path, provider, 201],
  ['POST', `${path}/${modelProvider.id}/test`, { model: 'small' }, 200],
  ['DELETE', `${path}/${modelProvider.id}`, undefined, 204],
] as const

test.each(changes)('%s %s is only for Owners and Admins', async (method, to, body, status) => {
  for (const role of ['owner', 'admin'] as const) {
    expect((await send(method, to, as(role), body)).status).toBe(status)
  }
  await expectError(await send(method, to, as('member'), body), 'forbidden_role')
  await expectError(await send(method, to, { 'x-parlance-workspace': workspaceId }, body), 'unauthorized')
  await expectError(await send(method, to, as('owner', otherWorkspaceId), body), 'not_found')
})

test('every member sees the providers, without their keys', async () => {
  const listed = await (await send('GET', path, as('member'))).json()
  expect(listed).toEqual({ providers: [modelProvider] })
  expect(JSON.stringify(listed)).not.toContain('a-key')
})

test('a provider is passed on with the person who adds it, and the response has no key', async () => {
  const created = await send('POST', path, as('admin'), provider)
  expect(await created.json()).toEqual(modelProvider)
  expect(gateway.modelProviderRequests.createProvider).toEqual({
    workspace_id: workspaceId,
    provider,
    actor: { kind: 'person', id: expect.any(String) },
  })
})

test.each([
  { ...provider, url: undefined },
  { ...provider, url: 'ftp://models.example.com' },
  { ...provider, key: 'two words' },
  { ...provider, kind: 'openai' },
  { kind: 'anthropic', name: 'Anthropic' },
  { ...provider, name: '' },
  { ...provider, more: 1 },
])('%j is refused', async (body) => {
  await expectError(await send('POST', path, as('admin'), body), 'invalid_request')
})

test('a test names a model, and an unknown provider is not found', async () => {
  const tested = await send('POST', `${path}/${modelProvider.id}/test`, as('admin'), { model: 'small' })
  expect(await tested.json()).toEqual({ ok: true, detail: '', first_text_ms: 120 })
  await expectError(await send('POST', `${path}/${modelProvider.id}/test`, as('admin'), {}), 'invalid_request')
  for (const id of [keyId, 'none']) {
    await expectError(await send('POST', `${path}/${id}/test`, as('admin'), { model: 'small' }), 'not_found')
  }
})

test('every member sees the models of a provider, and the servers without a provider', async () => {
  const models = await send('GET', `${path}/${modelProvider.id}/models`, as('member'))
  expect(await models.json()).toEqual({ ok: true, detail: '', models: ['small', 'large'] })
  await expectError(await send('GET', `${path}/${keyId}/models`, as('member')), 'not_found')
  expect(await (await send('GET', '/dashboard/api/model-servers', as('member'))).json()).toEqual(modelServers)
})
