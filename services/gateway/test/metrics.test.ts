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
  expect(text).toContain('parlance_http_requests_total{method="GET",route="/v1/voices",status="200"} 1')
  expect(text).toContain('parlance_http_requests_total{method="GET",route="unmatched",status="404"} 1')
  expect(text).not.toContain('secret')
})
