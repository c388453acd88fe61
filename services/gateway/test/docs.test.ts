import { createHash } from 'node:crypto'
import { expectError } from './expect-error.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers, redirect: 'manual' })

const referencesIn = (html: string): string[] =>
  [...html.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference as string)

test.each(['/docs/', '/docs/configuration', '/docs/decisions/', '/docs/api'])(
  '%s is a page that loads everything from here and may reach no other host',
  async (path) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const html = await response.text()
    expect(html).toMatch(/<title>.*Parlance<\/title>/)
    expect(html).not.toMatch(/ style="/)
    const references = referencesIn(html)
    expect(references.length).toBeGreaterThanOrEqual(5)
    for (const reference of references) {
      expect(reference).toMatch(/^\/docs\//)
      const { status, headers } = await get(reference)
      expect([reference, status]).toEqual([reference, 200])
      expect(headers.get('content-type')).not.toBe('application/octet-stream')
    }
  },
)

test('the address without the slash leads to the start page', async () => {
  const response = await get('/docs')
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/'])
})

test('a page that is known is not sent again, and files with a hash in their names are kept', async () => {
  const response = await get('/docs/tools')
  const etag = response.headers.get('etag')!
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const again = await get('/docs/tools', { 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const script = referencesIn(await response.text()).find((reference) => reference.endsWith('.js'))!
  expect((await get(script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('pages are sent compressed by the build, and audio in parts, without which Safari does not play it', async () => {
  for (const encoding of ['br', 'gzip']) {
    const response = await get('/docs/', { 'accept-encoding': encoding })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(await response.text()).toContain('</html>')
  }
  const audio = /<source src="([^"]+\.mp3)"/.exec(await (await get('/docs/')).text())![1]!
  const part = await get(audio, { range: 'bytes=0-1' })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 2])
  expect(part.headers.get('content-range')).toMatch(/^bytes 0-1\/\d+$/)
  await expectError(await get('/docs/index.html.br'), 'not_found')
})

test('pages learn with which Agent their readers may talk, if the operator has named one', async () => {
  const agent = async (url: string) => (await fetch(`${url}/docs/agent.json`)).json()
  expect(await agent(gateway.url)).toEqual({ agent_id: null })
  const docsAgentId = '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11'
  const other = await openGateway({ docsAgentId })
  expect(await agent(other.url)).toEqual({ agent_id: docsAgentId })
  await other.close()
})

test('a path without a page is a page of the documentation for a browser, and an error for a program', async () => {
  const page = await get('/docs/nothing', { accept: 'text/html' })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<title>404 | Parlance</title>')
  await expectError(await get('/docs/nothing'), 'not_found')
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
