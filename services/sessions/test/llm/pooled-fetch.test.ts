import type { RequestListener } from 'node:http'
import { createEgressGuard, EgressError, parseAllowedPlaces } from '@parlance/egress'
import { startLocalServer } from '@parlance/testing'
import { createPooledFetch } from '../../src/llm/pooled-fetch.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The address of a server, and how many connections it got. */
const startServer = async (answer: RequestListener) => {
  const { url, connections, close } = await startLocalServer(answer)
  closing.push(close)
  return { url: `${url}/`, connections }
}

const fetchWhere = (places: string) =>
  createPooledFetch(createEgressGuard({ allow: parseAllowedPlaces(places), ports: undefined }))
const fetchLocally = fetchWhere('127.0.0.0/8')

/** The error and those that caused it. */
const causesOf = (error: unknown): unknown[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

test('requests to an allowed address reuse connections', async () => {
  const { url, connections } = await startServer((request, response) =>
    response.end(request.headers['accept-encoding']),
  )
  const turns = 8
  for (let turn = 0; turn < turns; turn += 1) expect(await (await fetchLocally(url)).text()).toBe('identity')
  // A request that follows at once may find the connection still occupied by the end of the answer before it.
  expect(connections()).toBeLessThanOrEqual(turns / 2)
})

test('a private address that the operator does not allow gets no connection', async () => {
  const { url, connections } = await startServer((_request, response) => response.end())
  const error = await fetchWhere('10.0.0.0/8')(url).catch((thrown: unknown) => thrown)
  expect(causesOf(error).find((cause) => cause instanceof EgressError)).toMatchObject({ problem: 'refused' })
  expect(connections()).toBe(0)
})

test('an address of another kind, or with a password in it, is refused', async () => {
  for (const url of ['ftp://127.0.0.1/', 'http://me:secret@127.0.0.1/']) {
    await expect(fetchLocally(url)).rejects.toBeInstanceOf(EgressError)
  }
})

test('a redirect is returned and not followed', async () => {
  const elsewhere = await startServer((_request, response) => response.end())
  const { url } = await startServer((_request, response) => {
    response.writeHead(307, { location: elsewhere.url }).end()
  })
  expect([(await fetchLocally(url)).status, elsewhere.connections()]).toEqual([307, 0])
})

test('a response of more than 8 MiB fails', async () => {
  const { url } = await startServer((_request, response) => response.end(Buffer.alloc(8 * 1024 * 1024 + 1)))
  const response = await fetchLocally(url)
  await expect(response.arrayBuffer()).rejects.toThrow()
})
