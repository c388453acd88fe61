import { createHash } from 'node:crypto'
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

describe('the packages for integrators', () => {
  const list = async () => ((await (await get('/packages')).json()) as { packages: Record<string, string>[] }).packages

  test('are listed with the addresses and hashes of their tarballs, and no key is needed', async () => {
    const packages = await list()
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['@parlance/client', '@parlance/react']))
    for (const { url, version_url, bytes, sha256 } of packages) {
      for (const address of [url!, version_url!]) {
        const response = await fetch(address)
        const tarball = Buffer.from(await response.arrayBuffer())
        expect(response.headers.get('content-type')).toBe('application/gzip')
        expect(response.headers.get('etag')).toBe(`"${sha256}"`)
        expect([tarball.length, createHash('sha256').update(tarball).digest('hex')]).toEqual([bytes, sha256])
      }
    }
  })

  test('are cached for good only where the address has the version and the hash', async () => {
    const [first] = await list()
    const cacheOf = async (url: string) => (await fetch(url)).headers.get('cache-control')
    expect(await cacheOf(first!.url!)).toBe('no-cache')
    expect(first!.version_url).toContain(`-${first!.version}-`)
    expect(await cacheOf(first!.version_url!)).toMatch(/immutable/)
    const again = await fetch(first!.url!, { headers: { 'if-none-match': `"${first!.sha256}"` } })
    expect(again.status).toBe(304)
  })

  test.each(['index.json', 'nothing.tgz', '..%2fpackages%2fclient.tgz'])(
    'no other file is served: %s',
    async (file) => {
      expect((await get(`/packages/${file}`)).status).toBe(404)
    },
  )
})
