import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

test.each([
  ['/widget.js', 'parlance-agent', 60_000],
  ['/widget/avatar.js', 'createAvatar', 200_000],
])(
  '%s is served to pages of any origin, compressed, and is revalidated by its ETag',
  async (path, content, maxBytes) => {
    const get = (headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}${path}`, { headers: { origin: 'https://shop.example.com', ...headers } })
    const compressed = await get({ 'accept-encoding': 'gzip' })
    expect(compressed.status).toBe(200)
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(Number(compressed.headers.get('content-length'))).toBeLessThanOrEqual(maxBytes)
    expect(compressed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(compressed.headers.get('access-control-allow-origin')).toBe('*')
    expect(compressed.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(compressed.headers.get('vary')).toBe('accept-encoding')
    expect(await compressed.text()).toContain(content)

    const plain = await get({ 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('etag')).not.toBe(compressed.headers.get('etag'))
    const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': compressed.headers.get('etag')! })
    expect(again.status).toBe(304)
  },
)
