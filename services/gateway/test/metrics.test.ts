import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

test('the metrics count requests by route and status, never by path', async () => {
  await gateway.get('/v1/voices?limit=7')
  await gateway.get('/some/secret/path')
  const text = await gateway.metrics.text()
  const counts = text.split('\n').filter((line) => line.startsWith('http_server_request_duration_seconds_count'))
  expect(counts).toEqual([
    expect.stringContaining('http_request_method="GET",http_route="/v1/voices",http_response_status_code="200"'),
    expect.stringContaining('http_request_method="GET",http_route="",http_response_status_code="404"'),
  ])
  expect(text).not.toContain('secret')
})
