import { ParlanceError } from '@parlance/server'
import { sendJson } from '@parlance/testing'
import { type Respond, sendError, startStandIn } from './stand-in.js'

let standIn: Awaited<ReturnType<typeof startStandIn>>
afterEach(() => standIn.stop())

/** Answers with each of these in turn. */
const inTurn = (...answers: Respond[]): Respond => {
  return (request, response) => answers.shift()?.(request, response)
}

const codeOf = (promise: PromiseLike<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof ParlanceError ? error.code : error),
  )

test.each([429, 503])(
  'a POST that is refused with %i is sent again after Retry-After, under the same key',
  async (status) => {
    standIn = await startStandIn(
      inTurn(
        (_, response) => sendError(response, status, 'rate_limited', true, { 'retry-after': '0' }),
        (_, response) => sendJson(response, 201, { id: 'a' }),
      ),
    )
    const agent = { slug: 'desk', display_name: 'Desk', voice_id: 'v', llm_provider: 'builtin', llm_model: 'rules' }
    expect(await standIn.parlance().createAgent(agent)).toEqual({ id: 'a' })
    const [first, second] = standIn.requests
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(second).toMatchObject({ method: 'POST', url: '/v1/agents', headers: { authorization: 'Bearer awp_test' } })
    expect(JSON.parse(second?.body ?? '')).toEqual(agent)
  },
)

test('a request whose connection breaks is sent again', async () => {
  standIn = await startStandIn(
    inTurn(
      (_, response) => response.destroy(),
      (_, response) => sendJson(response, 200, { balance: '1' }),
    ),
  )
  expect(await standIn.parlance().getCredit()).toEqual({ balance: '1' })
})

test('an error that is not retryable is thrown at once, with all that the API says of it', async () => {
  standIn = await startStandIn((_, response) => sendError(response, 404, 'agent_not_found', false))
  const error = await Promise.resolve(standIn.parlance().getAgent('a b')).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ParlanceError)
  expect(error).toMatchObject({ code: 'agent_not_found', status: 404, requestId: 'r-1', detail: 'Why.' })
  expect(standIn.requests.map(({ url }) => url)).toEqual(['/v1/agents/a%20b'])
})

test('an error that stays is thrown after the last retry, and one whose wait is too long at once', async () => {
  standIn = await startStandIn((_, response) => sendError(response, 503, 'draining', true, { 'retry-after': '0' }))
  expect(await codeOf(standIn.parlance({ maxRetries: 3 }).getCredit())).toBe('draining')
  expect(standIn.requests.length).toBe(4)
  await standIn.stop()
  standIn = await startStandIn((_, response) =>
    sendError(response, 429, 'rate_limited', true, { 'retry-after': '3600' }),
  )
  expect(await codeOf(standIn.parlance().getCredit())).toBe('rate_limited')
  expect(standIn.requests.length).toBe(1)
})

test('an answer of a proxy is an error too', async () => {
  standIn = await startStandIn((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'))
  expect(await codeOf(standIn.parlance({ maxRetries: 0 }).getCredit())).toBe('unavailable')
})

test('a request without a response ends at its timeout, and at once when its signal is aborted', async () => {
  standIn = await startStandIn(() => {})
  const parlance = standIn.parlance({ maxRetries: 0, timeoutMs: 20 })
  expect(await codeOf(parlance.getCredit())).toBe('timeout')
  const reason = new Error('not needed')
  expect(await codeOf(parlance.getCredit({ signal: AbortSignal.abort(reason) }))).toBe(reason)
})

test('a list is its first page when it is awaited, and all of its items when it is iterated', async () => {
  standIn = await startStandIn(({ url }, response) => {
    const isFirst = !url.includes('cursor')
    sendJson(response, 200, { voices: [{ id: isFirst ? 'a' : 'b' }], next_cursor: isFirst ? 'next' : null })
  })
  const list = standIn.parlance().listVoices({ language: 'en' })
  expect(await list).toEqual({ voices: [{ id: 'a' }], next_cursor: 'next' })
  const ids: string[] = []
  for await (const { id } of list) ids.push(id)
  expect(ids).toEqual(['a', 'b'])
  expect(standIn.requests.at(-1)?.url).toBe('/v1/voices?language=en&cursor=next')
})

test('an operation without a response body resolves with undefined', async () => {
  standIn = await startStandIn((_, response) => response.writeHead(204).end())
  expect(await standIn.parlance().deleteWebhook('w')).toBe(undefined)
})
