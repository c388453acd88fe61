import { connect } from 'node:net'
import { errorBodySchema, errorTable } from '@parlance/contracts'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { type GeneratedRequest, generatedRequest } from './generated-request.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const atOnce = 26
const rounds = 200

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

interface Answer {
  status: number
  body: string
}

/** Undefined when the server closed the connection without a response. */
const send = async ({ bytes, cutShort }: GeneratedRequest): Promise<Answer | undefined> => {
  const socket = connect(gateway.server.port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (data) => received.push(data))
  // A server that closes the connection before it has read everything resets it, which `once` would take for a failure.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  if (cutShort) socket.end()
  await closed
  const text = Buffer.concat(received)
    .toString()
    .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
  return status === undefined ? undefined : { status: Number(status), body: text.slice(text.indexOf('\r\n\r\n') + 4) }
}

const check = async (request: GeneratedRequest, count: (status: number) => void) => {
  const answer = await send(request)
  // Only a caller that ends the connection during its request may get no response.
  if (answer === undefined) return expect(request.cutShort).toBe(true)
  count(answer.status)
  expect(answer.status).toBeLessThan(500)
  if (answer.status < 400 || request.method === 'HEAD') return
  // A browser that opens an address outside the API gets a "not found" page.
  if (answer.body.startsWith('<!doctype html>')) {
    expect(answer.status).toBe(404)
    return expect(Buffer.from(request.bytes).toString()).not.toMatch(/^GET \/(v1|dashboard|assets)\//)
  }
  // The routes that OpenAI's clients call have an `error` object beside the five keys.
  const { error: _, ...fiveKeys } = JSON.parse(answer.body)
  const body = errorBodySchema.parse(fiveKeys)
  expect(errorTable[body.code].status).toBe(answer.status)
}

test(`${atOnce * rounds} generated requests get responses that match the contract, and none is a 500`, async () => {
  const seed = testSeed()
  const counts: Record<number, number> = {}
  const count = (status: number) => {
    counts[status] = (counts[status] ?? 0) + 1
  }
  await fc.assert(
    fc.asyncProperty(fc.array(generatedRequest, { minLength: atOnce, maxLength: atOnce }), (requests) =>
      Promise.all(requests.map((request) => check(request, count))).then(() => undefined),
    ),
    { seed, numRuns: rounds, endOnFailure: true },
  )
  process.stdout.write(`bad input: seed ${seed}, answers by status ${JSON.stringify(counts)}\n`)
  // Ensures that the test reaches the handlers.
  for (const status of [200, 400, 401, 403, 404, 405, 406, 413, 415]) expect(counts[status]).toBeGreaterThan(0)
  expect((await gateway.get('/v1/openapi.json')).status).toBe(200)
})
