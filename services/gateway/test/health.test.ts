import { expectError } from './expect-error.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

test('/healthz and /readyz answer without a key, and are not logged while they are well', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(`${gateway.url}${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch('application/json')
  }
  expect(gateway.lines).toEqual([])
})

test('/readyz names what is missing', async () => {
  gateway.state.readiness = { ready: false, checks: { bus: false, ttl: true, gateway: false } }
  const response = await fetch(`${gateway.url}/readyz`)
  await expectError(response, 'unavailable', /^Not ready: bus, gateway\.$/)
  expect(response.headers.get('retry-after')).toBe('1')
  gateway.state.readiness = { ready: true, checks: {} }
})

test('/metrics counts requests by route and status, never by path', async () => {
  await gateway.get('/v1/voices?limit=7')
  await gateway.get('/some/secret/path')
  const response = await fetch(`${gateway.url}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  const text = await response.text()
  expect(text).toContain('parlance_http_requests_total{method="GET",route="/v1/voices",status="200"} 1')
  expect(text).toContain('parlance_http_requests_total{method="GET",route="unmatched",status="404"} 1')
  expect(text).not.toContain('secret')
})
