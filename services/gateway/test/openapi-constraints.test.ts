import { agentConfigSchema, mergeAgentConfig } from '@parlance/contracts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { idempotencyKeyPattern } from '../src/idempotency/idempotency-key.js'
import { createOpenapiDocument } from '../src/openapi/document.js'
import { routes } from '../src/routes/routes.js'
import { agentId } from './fake-agents.js'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

interface Parameter {
  name: string
  schema: object
}
interface Operation {
  parameters?: Parameter[]
  requestBody: { content: Record<string, { schema: object }> }
  responses: Record<
    string,
    { content: Record<string, { schema: object }>; headers: Record<string, { required: boolean }> }
  >
}

const document = JSON.parse(JSON.stringify(createOpenapiDocument(routes))) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}
const operation = (method: string, path: string) => document.paths[path]![method]!

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'document', ...document })
/** Schemas of the document refer to its components. */
const isValid = (schema: object, value: unknown): boolean =>
  ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')), value)

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

/** Whether the server accepts the request, which must not fail for another reason than its form. */
const takes = async (request: Promise<Response>): Promise<boolean> => {
  const response = await request
  const body = await response.text()
  if (response.status !== 400) return true
  expect((JSON.parse(body) as { code: string }).code).toBe('invalid_request')
  return false
}

const headerSchema = (method: string, path: string, name: string) =>
  operation(method, path).parameters!.find((parameter) => parameter.name === name)!.schema
const bodySchema = (path: string) => operation('post', path).requestBody.content['application/json']!.schema

test.each(['"rev-1"', 'W/"rev-1"', '*', '""', '"rev 1"', 'rev-1', '"a", "b"', "'x'"])(
  'the server and the document agree on the If-Match header %s',
  async (value) => {
    const path = '/v1/agents/{agentId}'
    const answer = gateway.post(
      `/v1/agents/${agentId}`,
      { description: '' },
      { method: 'PATCH', headers: { 'if-match': value } },
    )
    expect(isValid(headerSchema('patch', path, 'if-match'), value)).toBe(await takes(answer))
  },
)

const longestKey = 'k'.repeat(255)

test.each(['order 1042', '~', longestKey, `${longestKey}k`, 'ü'])(
  'the server and the document agree on the Idempotency-Key %s, also with streamed speech',
  async (value) => {
    const expected = isValid(headerSchema('post', '/v1/tts', 'idempotency-key'), value)
    expect(expected).toBe(idempotencyKeyPattern.test(value))
    for (const response_mode of ['audio', 'json', 'sse']) {
      const headers = { 'idempotency-key': value }
      const answer = gateway.post('/v1/tts', { text: 'Hello', voice_id: voiceId, response_mode }, { headers })
      expect([response_mode, await takes(answer)]).toEqual([response_mode, expected])
    }
  },
)

const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`v${n}`, '']))

test.each([
  { variables: { customer_name: 'Ada' } },
  { variables: { 'customer-name': 'Ada' } },
  { variables: { [`v${'x'.repeat(64)}`]: '' } },
  { variables: fifty },
  { variables: { ...fifty, one: '' } },
  { metadata: { ['k'.repeat(64)]: 1 } },
  { metadata: { ['k'.repeat(65)]: 1 } },
])('the server and the document agree on the request for a session token %j', async (body) => {
  const path = '/v1/agents/{agentId}/session-tokens'
  const answer = gateway.post(path.replace('{agentId}', agentId), body)
  expect(isValid(bodySchema(path), body)).toBe(await takes(answer))
})

test.each([[['audio', 'text']], [['text']], [['text', 'text']], [[]]])(
  'the server and the document agree on the modalities %j',
  async (modalities) => {
    const path = '/v1/agents/{agentId}/sessions'
    const body = { transport: 'websocket', modalities }
    const headers = { authorization: 'Bearer awst_good' }
    const answer = gateway.post(path.replace('{agentId}', agentId), body, { headers })
    expect(isValid(bodySchema(path), body)).toBe(await takes(answer))
  },
)

test.each([
  'https://app.example.com',
  'http://localhost:3000',
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
  'https://xn--mnchen-3ya.de',
  'https://my_app.example.com',
  'https://a.example/b',
  'https://a.example/',
  'https://A.example',
  'https://user@a.example',
  'ftp://a.example',
  'https://a.example:65536',
  'a.example',
  'null',
])('the server and the document agree on the origin %s', async (origin) => {
  const body = {
    slug: 'front-desk',
    display_name: 'x',
    voice_id: voiceId,
    llm_provider: 'builtin',
    llm_model: 'rules',
    session_config: { allowed_origins: [origin] },
  }
  expect(isValid(bodySchema('/v1/agents'), body)).toBe(await takes(gateway.post('/v1/agents', body)))
})

test.each([
  {},
  { description: null },
  { voice_config: null, tools: null, first_message: null },
  { session_config: { allowed_origins: null }, metadata: null },
  { voice_config: { speed: null } },
  { session_config: { public: null } },
  { session_config: { public: { enabled: null } } },
  { session_config: { public: { enabled: true } } },
  { voice_config: { speed: 3 } },
  { slug: null },
  { llm_config: 7 },
  { description: 'a\0b' },
  { color: 'red' },
])('the server and the document agree on the change of an Agent %j', (change) => {
  const required = { slug: 'front-desk', display_name: 'x', llm_provider: 'builtin', llm_model: 'rules' }
  const standing = agentConfigSchema.parse({ ...required, voice_id: voiceId })
  const { schema } = operation('patch', '/v1/agents/{agentId}').requestBody.content['application/json']!
  expect(isValid(schema, change)).toBe(agentConfigSchema.safeParse(mergeAgentConfig(standing, change)).success)
})

test.each(['Hello', 'a\tb\n', ' \n', '\u00a0', 'a\u0001b', '\u007f'])(
  'the server and the document agree on the text %j',
  async (text) => {
    const tts = { text, voice_id: voiceId }
    expect(isValid(bodySchema('/v1/tts'), tts)).toBe(await takes(gateway.post('/v1/tts', tts)))
    const openai = { input: text, voice: voiceId, model: 'tts-1' }
    expect(isValid(bodySchema('/v1/audio/speech'), openai)).toBe(await takes(gateway.post('/v1/audio/speech', openai)))
  },
)

test.each(['slug', 'q'])(
  'a search for Agents by %s with the character U+0000 is refused, as in the document',
  async (name) => {
    const { schema } = operation('get', '/v1/agents').parameters!.find((parameter) => parameter.name === name)!
    for (const value of ['a', 'a\0']) {
      const answer = gateway.get(`/v1/agents?${name}=${encodeURIComponent(value)}`)
      expect(isValid(schema, value)).toBe(await takes(answer))
    }
  },
)

test('replayed speech has no server-timing, as the document allows', async () => {
  const { headers } = operation('post', '/v1/tts').responses['200']!
  const body = { text: 'Hello', voice_id: voiceId, response_mode: 'json' }
  const ask = () => gateway.post('/v1/tts', body, { headers: { 'idempotency-key': 'again' } })
  const [first, again] = [await ask(), await ask()]
  const missing = (response: Response) => Object.keys(headers).filter((name) => !response.headers.has(name))
  expect(missing(first)).toEqual([])
  expect(missing(again)).toEqual(['server-timing'])
  expect(missing(again).filter((name) => headers[name]!.required)).toEqual([])
})

interface EventItem {
  properties: { event: { enum: string[] }; data: { contentSchema: object } }
}

/** Items of a `text/event-stream`, by the field names of the format. */
const itemsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))))

test.each([
  ['/v1/tts', { text: 'Hello', voice_id: voiceId, response_mode: 'sse', alignment: ['word'] }],
  ['/v1/audio/speech', { model: 'tts-1', voice: voiceId, input: 'Hello', stream_format: 'sse' }],
])('every event of %s matches the document, and so does its data', async (path, body) => {
  const { schema } = operation('post', path).responses['200']!.content['text/event-stream']!
  const items = itemsOf(await (await gateway.post(path, body)).text())
  expect(items.length).toBeGreaterThan(1)
  const name = (schema as { $ref: string }).$ref.split('/').at(-1)!
  const kinds = (document.components.schemas[name] as { anyOf: EventItem[] }).anyOf
  for (const item of items) {
    expect([item, isValid(schema, item)]).toEqual([item, true])
    const { contentSchema } = kinds.find(({ properties }) => properties.event.enum.includes(item.event))!.properties
      .data
    expect([item.data, isValid(contentSchema, JSON.parse(item.data))]).toEqual([item.data, true])
  }
})
