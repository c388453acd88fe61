import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { maxBodyBytes } from '../src/http/json-body.js'
import { expectError } from './expect-error.js'
import { agentConfig, agentId, publication } from './fake-agents.js'
import { knowledgeFile } from './fake-knowledge.js'
import { keyId, keys } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys.good}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

const path = `/v1/agents/${agentId}`

test('creating responds with 201, the location and the ETag of the Agent, with all defaults filled in', async () => {
  const response = await send('POST', '/v1/agents', agentConfig)
  expect(response.status).toBe(201)
  expect(response.headers.get('location')).toBe(path)
  expect(response.headers.get('etag')).toBe('"rev-3"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toMatchObject({
    ...agentConfig,
    turn_config: { endpointing_min_ms: 300 },
    session_config: { max_duration_seconds: 600, allowed_origins: [] },
  })
})

test.each(['slug', 'display_name', 'voice_id', 'llm_provider', 'llm_model'])('creating needs %s', async (field) => {
  const { [field]: _, ...rest } = agentConfig as Record<string, unknown>
  await expectError(await send('POST', '/v1/agents', rest), 'invalid_request', `${field}: is required`)
})

test.each([
  [{ endpointing_min_ms: 1_001, endpointing_max_ms: 1_000 }],
  // Above the default of the other field.
  [{ endpointing_min_ms: 5_000 }],
])('a minimum pause above the maximum is refused with the name of the field: %j', async (turn_config) => {
  const detail = 'turn_config.endpointing_min_ms: must be at most endpointing_max_ms'
  await expectError(await send('POST', '/v1/agents', { ...agentConfig, turn_config }), 'invalid_request', detail)
})

test('a taken slug is a conflict', async () => {
  await expectError(await send('POST', '/v1/agents', { ...agentConfig, slug: 'taken' }), 'slug_taken')
})

test.each(['front', 'no-such-id', '%00', '../agents', randomUUID().slice(1)])(
  '"%s" is not the id of an Agent in any operation',
  async (id) => {
    for (const method of ['GET', 'DELETE']) {
      const response = await send(method, `/v1/agents/${encodeURIComponent(id)}`)
      await expectError(response, 'agent_not_found')
    }
  },
)

test('an id is found in any case', async () => {
  expect((await send('GET', `/v1/agents/${agentId.toUpperCase()}`)).status).toBe(200)
})

test.each([
  ['"rev-3"', 200],
  ['*', 200],
  ['"rev-2"', 412],
  ['"rev-0"', 412],
  ['W/"rev-3"', 412],
  ['"something else"', 400],
  ['"else"', 412],
  ['rev-3', 400],
  ['', 400],
])('PATCH with If-Match: %s answers %d', async (tag, status) => {
  expect((await send('PATCH', path, { display_name: 'New' }, { 'if-match': tag })).status).toBe(status)
})

test('If-Match also applies to publishing and deleting', async () => {
  for (const [method, at] of [
    ['POST', `${path}/publish`],
    ['DELETE', path],
  ] as const) {
    await expectError(await send(method, at, undefined, { 'if-match': '"rev-1"' }), 'revision_conflict')
  }
})

test('PATCH passes on the given fields, including null, and refuses unknown ones', async () => {
  const patch = { description: null, voice_config: { speed: 1.5 } }
  expect((await send('PATCH', path, patch)).status).toBe(200)
  expect(gateway.agentRequests.updateAgent).toMatchObject({ patch, expected_version: null })
  for (const field of ['id', 'state', 'created_at', '__proto__x']) {
    await expectError(await send('PATCH', path, { [field]: 1 }), 'invalid_request', field)
  }
  await expectError(await send('PATCH', path, [1]), 'invalid_request')
})

test('deleting responds with 204 without a body', async () => {
  const response = await send('DELETE', path)
  expect(response.status).toBe(204)
  expect(response.headers.get('x-request-id')).not.toBeNull()
  expect(await response.text()).toBe('')
})

test('publishing responds with 201 and the publication, then with 200 and the active one, with or without a body', async () => {
  const first = await send('POST', `${path}/publish`)
  expect([first.status, await first.json()]).toEqual([201, { ...publication, api_ready: false }])
  const second = await send('POST', `${path}/publish`, { revision_id: publication.revision.id })
  expect([second.status, await second.json()]).toEqual([200, { ...publication, api_ready: false }])
  expect(gateway.agentRequests.publishAgent).toMatchObject({
    revision_id: publication.revision.id,
    actor: { kind: 'api_key', id: keyId },
  })
  const dry = await send('POST', `${path}/publish?dry_run=true`, {})
  expect([dry.status, await dry.json()]).toEqual([
    200,
    { publishable: true, api_ready: false, problems: [], warnings: [] },
  ])
})

test.each(['?dry_run=yes', '?dry=true'])('publishing with %s is refused', async (query) => {
  await expectError(await send('POST', `${path}/publish${query}`), 'invalid_request')
})

test('lists pass their query on, and refuse unknown parameters', async () => {
  expect((await send('GET', '/v1/agents?limit=7&order=asc&slug=a&state=draft&q=x&cursor=abc')).status).toBe(200)
  expect(gateway.agentRequests.listAgents).toMatchObject({
    limit: 7,
    order: 'asc',
    slug: 'a',
    state: 'draft',
    q: 'x',
    cursor: 'abc',
  })
  for (const query of ['limit=0', 'limit=101', 'order=up', 'state=gone', 'color=red', 'q=a&q=b']) {
    await expectError(await send('GET', `/v1/agents?${query}`), 'invalid_request')
  }
  for (const list of ['revisions', 'publications']) {
    expect((await send('GET', `${path}/${list}?limit=3`)).status).toBe(200)
    await expectError(await send('GET', `${path}/${list}?limit=x`), 'invalid_request', 'limit')
  }
})

test('refusals come in the order of the contract: key, suspension, capability, then the request', async () => {
  const as = (key: string) => send('POST', '/v1/agents', '{', { authorization: `Bearer ${key}` })
  await expectError(await as('awp_unknown'), 'unauthorized')
  await expectError(await as(keys.suspendedWithoutTts), 'organization_suspended')
  await expectError(await as(keys.withoutAgents), 'capability_disabled', 'agents')
  await expectError(await as(keys.good), 'invalid_json')
})

test.each([
  ['another media type', { 'content-type': 'text/plain' }, 'unsupported_media_type'],
  ['a response that the client does not accept', { accept: 'text/html' }, 'not_acceptable'],
] as const)('%s is refused', async (_what, headers, code) => {
  await expectError(await send('POST', '/v1/agents', agentConfig, headers), code)
})

test('another method is refused with the list of allowed methods', async () => {
  await expectError(await send('PUT', path, {}), 'method_not_allowed')
  expect((await send('PUT', path, {})).headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE, OPTIONS')
})

/** A request that has sent the given part of its body. The caller can send the rest. */
const begin = (sent: Buffer | string, headers: Record<string, string | number> = {}) => {
  const request = httpRequest(`${gateway.url}/v1/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.good}`, 'content-type': 'application/json', ...headers },
  })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  request.write(sent)
  return { request, answered }
}

const mebibyte = 1024 * 1024

test.each([
  ['announces', ' ', { 'content-length': 10 * mebibyte }],
  ['does not announce its length', Buffer.alloc(maxBodyBytes + 1, ' '), {}],
])('a client that %s 10 MB is refused at once, and may finish sending', async (_what, sent, length) => {
  const { request, answered } = begin(sent, length)
  const [response] = await answered
  request.end(Buffer.alloc(10 * mebibyte - sent.length, ' '))
  await once(request, 'finish')
  const { statusCode: status = 0, headers } = response
  await expectError(
    new Response(await text(response), { status, headers: headers as Record<string, string> }),
    'payload_too_large',
  )
})

test('a body of any depth and a slug in mixed scripts are refused', async () => {
  const deep = `${'{"metadata":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  await expectError(await send('POST', '/v1/agents', deep), 'invalid_json')
  const mixed = JSON.stringify({ ...agentConfig, slug: 'fr\u043ent-desk' })
  await expectError(await send('POST', '/v1/agents', mixed), 'invalid_request')
})

describe('the files that an Agent answers from', () => {
  const upload = (content: Uint8Array<ArrayBuffer> | string, name: string, more: Record<string, string> = {}) => {
    const form = new FormData()
    form.set('file', new Blob([content]), name)
    for (const [field, value] of Object.entries(more)) form.set(field, value)
    return fetch(`${gateway.url}${path}/knowledge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.good}` },
      body: form,
    })
  }

  test.each([
    ['%PDF-1.7', 'manual', 'application/pdf'],
    ['<p>Hi</p>', 'Page.HTML', 'text/html'],
    ['# Hi', 'Ölpumpe.md', 'text/markdown'],
    ['Hi', 'notes.txt', 'text/plain'],
  ])('are added with the type of their content or their name: %s in %s', async (content, name, type) => {
    const response = await upload(content, name)
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`${path}/knowledge/${knowledgeFile.id}`)
    const size_bytes = Buffer.byteLength(content)
    expect(await response.json()).toEqual({ ...knowledgeFile, name, content_type: type, size_bytes })
    expect(gateway.knowledgeRequests.addFile).toMatchObject({ agent_id: agentId, name, content_type: type })
  })

  test('of other kinds, empty ones, ones of more than 20 MiB and other fields are refused', async () => {
    await expectError(await upload('PK', 'letter.docx'), 'unsupported_media_type')
    await expectError(await upload('no PDF', 'manual.pdf'), 'unsupported_media_type')
    await expectError(await upload('', 'empty.txt'), 'invalid_request')
    await expectError(await upload('Hi', 'notes.txt', { title: 'x' }), 'invalid_request', 'title')
    await expectError(await upload(new Uint8Array(20 * 1024 * 1024 + 1), 'large.txt'), 'payload_too_large')
    await expectError(await send('POST', `${path}/knowledge`, { file: 'x' }), 'unsupported_media_type')
  })

  test('are listed, read and deleted', async () => {
    const list = await send('GET', `${path}/knowledge?limit=5&order=asc`)
    expect(await list.json()).toEqual({ files: [knowledgeFile], next_cursor: null })
    expect(gateway.knowledgeRequests.listFiles).toMatchObject({ agent_id: agentId, limit: 5, order: 'asc' })
    expect(await (await send('GET', `${path}/knowledge/${knowledgeFile.id}`)).json()).toEqual(knowledgeFile)
    expect((await send('DELETE', `${path}/knowledge/${knowledgeFile.id.toUpperCase()}`)).status).toBe(204)
    expect(gateway.knowledgeRequests.deleteFile).toMatchObject({ agent_id: agentId, file_id: knowledgeFile.id })
    await expectError(await send('GET', `${path}/knowledge/x`), 'not_found')
  })
})
