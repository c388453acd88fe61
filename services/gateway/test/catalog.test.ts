import { ServiceError } from '@parlance/contracts'
import { expectError } from './expect-error.js'
import { voicesReply } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

test('the list of voices is sent byte for byte as the catalog sent it', async () => {
  const response = await gateway.get('/v1/voices')
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(voicesReply)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('avatars are listed', async () => {
  expect(await (await gateway.get('/v1/avatars')).json()).toEqual({ avatars: [], next_cursor: null })
})

test.each([
  ['', {}],
  ['?', {}],
  ['?limit=1', { limit: 1 }],
  ['?limit=100&cursor=abc', { limit: 100, cursor: 'abc' }],
  ['?language=en-GB', { language: 'en-GB' }],
])('the query "%s" requests the page %j', async (query, page) => {
  expect((await gateway.get(`/v1/voices${query}`)).status).toBe(200)
  expect(gateway.fakes.lastPage).toEqual({ limit: 100, ...page })
})

test.each([
  ['limit=0', /^limit: /],
  ['limit=101', /^limit: /],
  ['limit=1e1', /^limit: must be a whole number/],
  ['limit=', /^limit: /],
  ['limit=5&limit=6', /^limit: /],
  ['cursor=', /^cursor: /],
  [`cursor=${'x'.repeat(257)}`, /^cursor: /],
  ['page=2', /page/],
  ['language=', /^language: must be a BCP 47 language tag/],
  ['language=en_GB', /^language: must be a BCP 47 language tag/],
  ['language=en&language=de', /^language: /],
  ['__proto__=2', /__proto__/],
])('the query "%s" is refused, naming the parameter', async (query, detail) => {
  await expectError(await gateway.get(`/v1/voices?${query}`), 'invalid_request', detail)
})

test('a client that does not accept JSON is refused', async () => {
  await expectError(await gateway.get('/v1/voices', { accept: 'text/html' }), 'not_acceptable', 'application/json')
})

test('an error of the catalog reaches the client', async () => {
  gateway.fakes.voices = new ServiceError('invalid_request', 'cursor: is not one of ours.')
  await expectError(await gateway.get('/v1/voices?cursor=x'), 'invalid_request', 'cursor: is not one of ours.')
  gateway.fakes.voices = voicesReply
})

test('HEAD responds with the headers of GET', async () => {
  const headers = { authorization: 'Bearer awp_dev_good' }
  const response = await fetch(`${gateway.url}/v1/voices`, { method: 'HEAD', headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(voicesReply.length))
  expect(await response.text()).toBe('')
})
