import { errorBodySchema, errorTable, openaiSpeechRequestSchema, ttsRequestSchema } from '@parlance/contracts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createOpenapiDocument } from '../src/openapi/document.js'
import { routes } from '../src/routes/routes.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

interface Operation {
  requestBody?: { content: Record<string, { examples: Record<string, { value: object }> }> }
  operationId: string
  parameters?: { name: string }[]
  security: object[]
  responses: Record<
    string,
    {
      content?: Record<string, { schema: object; examples?: Record<string, { value: { error?: { code: string } } }> }>
      headers?: Record<string, object>
    }
  >
}

let gateway: OpenGateway
let paths: Record<string, Record<string, Operation>>
beforeAll(async () => {
  gateway = await openGateway()
  paths = ((await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as { paths: typeof paths }).paths
})
afterAll(() => gateway.close())

const operations = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate({ ...structuredClone(createOpenapiDocument(routes)) })
  expect(result).toMatchObject({ valid: true })
})

test('every public route is in the document, and every path of the document is a route', () => {
  const routes = gateway.app.router.stack.flatMap(({ route }) =>
    (route?.stack ?? [])
      .filter(({ method }) => method !== undefined)
      .map(({ method }) => `${method} ${route?.path.replace(/[:*](\w+)/g, '{$1}')}`),
  )
  const ofApi = routes.filter((route) => !/ \/(dashboard\/|try\/|v1\/(compat|telephony)\/)/.test(route))
  expect([...new Set(ofApi)].sort()).toEqual(
    operations()
      .map(({ name }) => name)
      .sort(),
  )
})

test('an operation that needs a key has security, and responses for 401 and 403', async () => {
  for (const { name, operation } of operations()) {
    const [method, path] = name.split(' ') as [string, string]
    const { status } = await fetch(`${gateway.url}${path.replace('{asset}', 'reference.css')}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
    })
    expect([name, status === 401]).toEqual([name, operation.security.length > 0])
    if (status === 401) expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403']))
  }
})

test('every error response shows its codes in the five keys, and for OpenAI’s clients also in an object beside them', () => {
  for (const { operation } of operations()) {
    const isOpenai = /^(synthesizeAsOpenai|transcribe|listModels|getModel|listVoicesAsOpenWebui)$|Realtime/.test(
      operation.operationId,
    )
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      const json = content?.['application/json']
      expect(json?.schema).toEqual({ $ref: `#/components/schemas/${isOpenai ? 'OpenaiError' : 'Error'}` })
      for (const [code, { value }] of Object.entries(json?.examples ?? {})) {
        const { error, ...fiveKeys } = value
        const body = errorBodySchema.parse(fiveKeys)
        expect(error?.code).toBe(isOpenai ? code : undefined)
        expect([body.code, errorTable[body.code].status]).toEqual([code, Number(status)])
      }
    }
  }
})

test('operations have unique names', () => {
  const names = operations().map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  ['/v1/tts', ttsRequestSchema],
  ['/v1/audio/speech', openaiSpeechRequestSchema],
])('the examples of %s are valid requests', (path, schema) => {
  const examples = Object.values(paths[path]?.post?.requestBody?.content['application/json']?.examples ?? {})
  expect(examples.length).toBeGreaterThan(0)
  for (const { value } of examples) schema.parse(value)
})

test('every idempotent POST has the header Idempotency-Key, and every operation with a key has the rate limit headers', () => {
  const takingKey = operations()
    .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'idempotency-key'))
    .map(({ name }) => name)
  const posts = operations()
    .filter(({ name, operation }) => name.startsWith('post ') && operation.security.length > 0)
    // OpenAI's clients send no such header. Their speech is streamed, and a client secret starts one call.
    .filter(({ name }) => !/^post \/v1\/(audio\/speech|realtime\/calls)/.test(name))
  expect(takingKey).toEqual(posts.map(({ name }) => name))
  for (const { operation } of operations()) {
    for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
      const hasHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].every(
        (header) => header in headers,
      )
      expect(hasHeaders).toBe(operation.security.length > 0 && /^(2\d\d|304|429)$/.test(status))
    }
  }
})

test('speech lists every error of its body and of its Idempotency-Key', () => {
  const { responses } = paths['/v1/tts']!.post!
  const codesOf = (status: string) => Object.keys(responses[status]?.content?.['application/json']?.examples ?? {})
  expect(codesOf('400').sort()).toEqual([
    'alignment_requires_json',
    'invalid_json',
    'invalid_request',
    'text_not_speakable',
    'unsupported_format',
  ])
  expect(codesOf('409')).toEqual(['idempotency_conflict'])
})
