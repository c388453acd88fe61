import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expectError } from './expect-error.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers, redirect: 'manual' })

/** The body as it is sent, still compressed. */
const encodedBody = (path: string, encoding: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    request(`${gateway.url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      expect(response.headers['content-encoding']).toBe(encoding)
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })

const scriptOf = (html: string): string => /<script [^>]*src="([^"]+)"/.exec(html)![1]!

test('each page of the dashboard is the same document, for any Accept header', async () => {
  for (const path of [
    '/',
    '/sign-in',
    '/try/talk',
    '/try/speech',
    '/keys',
    '/members',
    '/members/',
    '/password?token=a',
    '/invitation?id=b',
  ]) {
    const response = await get(path)
    expect([path, response.status]).toEqual([path, 200])
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<div id="root">')
  }
})

test('the document loads everything from here, and its style elements have a nonce that no other response has', async () => {
  const [first, second] = [await get('/'), await get('/')]
  const policy = first.headers.get('content-security-policy')!
  const [, nonce] = /'nonce-([\w-]{24})'/.exec(policy)!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(first.headers.get('cache-control')).toBe('no-store')
  const html = await first.text()
  expect(html).toContain(`content="${nonce}"`)
  expect(second.headers.get('content-security-policy')).not.toContain(nonce)
  const references = [...html.matchAll(/(?:src|href)="([^"]+\.\w+)"/g)].map(([, reference]) => reference!)
  expect(references.length).toBeGreaterThanOrEqual(3)
  for (const reference of references) {
    expect(reference).toMatch(/^\/dashboard\/static\//)
    expect([reference, (await get(reference)).status]).toEqual([reference, 200])
  }
})

test('a file of the dashboard is cached forever, and sent compressed', async () => {
  const script = scriptOf(await (await get('/')).text())
  const plain = await get(script, { 'accept-encoding': 'identity' })
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('vary')).toBe('accept-encoding')
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const text = await plain.text()
  expect(String(gunzipSync(await encodedBody(script, 'gzip')))).toBe(text)
  expect(String(brotliDecompressSync(await encodedBody(script, 'br')))).toBe(text)
})

test('an unknown file of the dashboard is 404, also outside of its folder', async () => {
  for (const name of ['none.js', '..%2f..%2findex.html', '..%2f..%2fpage-paths.json', 'manifest.json', '%00.js']) {
    await expectError(await get(`/dashboard/static/${name}`), 'not_found')
  }
})

test('an address without a page is 404: a page for a browser, an error for a program', async () => {
  for (const path of ['/no-such-page', '/keys/more', '/index.html']) {
    const response = await get(path, asBrowser)
    expect([path, response.status]).toEqual([path, 404])
    expect(await response.text()).toContain('<div id="root">')
    await expectError(await get(path), 'not_found')
  }
  for (const path of ['/v1/none', '/dashboard/api/none', '/assets/none/x']) {
    await expectError(await get(path, asBrowser), 'not_found')
  }
})

test.each([
  ['/dashboard', '/'],
  ['/talk', '/try/talk'],
  ['/play', '/try/speech'],
])('%s, an earlier address of a page, redirects to it', async (before, location) => {
  const response = await get(before)
  expect([response.status, response.headers.get('location')]).toEqual([302, location])
  expect((await get(location)).status).toBe(200)
})

test('a page is read only', async () => {
  const posted = await fetch(`${gateway.url}/keys`, { method: 'POST', headers: asBrowser })
  await expectError(posted, 'method_not_allowed')
  expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})
