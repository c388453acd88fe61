import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const get = (path: string) => fetch(`${gateway.url}${path}`, { redirect: 'manual' })

test('the page is called Parlance and loads everything from here', async () => {
  const html = await (await get('/docs')).text()
  expect(html).toContain('<title>Parlance</title>')
  const references = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference as string)
  expect(references.length).toBeGreaterThanOrEqual(5)
  for (const reference of references) {
    expect(reference).toMatch(/^\//)
    const response = await get(reference)
    expect([reference, response.status]).toEqual([reference, 200])
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')))
  }
})

test('the page may reach this host and no other, and no page may frame it', async () => {
  const policy = (await get('/docs')).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})
