import { createApiKey, createKeyAuthenticator, digestApiKey, parsePeppers } from '@parlance/clients/api-key'
import { type Principal, ServiceError } from '@parlance/contracts'
import { createMemoryTtlStore } from '@parlance/store'
import { expectError } from './expect-error.js'
import { workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const perMinute = 20
const goodKey = createApiKey('prd')
const principal: Principal = {
  ...{ key_id: '5d1c9b94-2f4e-4f0e-9d7b-0a4a31b9b8a1', workspace_id: workspaceId },
  ...{ capabilities: ['tts'], suspended: false },
}

describe('requests without a usable key', () => {
  let gateway: OpenGateway
  let asked: number
  const ttl = createMemoryTtlStore()
  const peppers = parsePeppers('1:a-pepper-for-tests')
  const createdKeys = new Set([goodKey])

  beforeEach(async () => {
    asked = 0
    gateway = await openGateway({
      strangersPerMinute: perMinute,
      trustedProxies: ['127.0.0.1'],
      authenticate: createKeyAuthenticator({
        ttl,
        auth: {
          async verifyKey({ digests }) {
            asked += 1
            const known = [...createdKeys].some((key) => digests.some(({ digest }) => digest === digestOf(key)))
            if (!known) throw new ServiceError('unauthorized', 'This API key is not valid.')
            return principal
          },
        },
        peppers,
        environment: 'prd',
      }),
    })
  })
  afterEach(() => gateway.close())
  afterAll(() => ttl.close())

  const digestOf = (key: string) => digestApiKey(key, peppers[0]).digest
  /** A different address for each test, because all tests share the limits of one process. */
  let lastAddress = 0
  const newAddress = () => `198.51.100.${++lastAddress}`
  const send = (address: string, key: string | undefined) =>
    gateway.get('/v1/voices', {
      'x-forwarded-for': address,
      ...(key === undefined ? { authorization: '' } : { authorization: `Bearer ${key}` }),
    })
  const flood = (address: string, count: number, keyOf: () => string | undefined) =>
    Promise.all(Array.from({ length: count }, () => send(address, keyOf())))
  const countOf = (answers: readonly Response[], status: number) =>
    answers.filter((answer) => answer.status === status).length

  test('are refused with 429 and the limit once an address has used up its limit, and auth is no longer called', async () => {
    const address = newAddress()
    const answers = await flood(address, 200, () => createApiKey('prd'))
    expect([
      countOf(answers, 401) >= perMinute,
      countOf(answers, 401) < 40,
      countOf(answers, 401) + countOf(answers, 429),
    ]).toEqual([true, true, 200])
    expect(asked).toBe(countOf(answers, 401))
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers.get('ratelimit-limit')).toBe(String(perMinute))
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectError(refused, 'rate_limited', 'without a valid API key')
    const unauthorized = answers.find(({ status }) => status === 401)!
    expect(unauthorized.headers.get('ratelimit-limit')).toBe(String(perMinute))
  })

  test.each([
    ['no key at all', () => undefined],
    ['a key with a typing error', () => 'awp_prd_wrong'],
    ['one refused key again and again', () => refusedKey],
  ])('count with %s', async (_what, keyOf) => {
    const answers = await flood(newAddress(), 100, keyOf)
    expect(countOf(answers, 401)).toBeGreaterThanOrEqual(perMinute)
    expect(countOf(answers, 429)).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(1)
  })
  const refusedKey = createApiKey('prd')

  test('of one address do not refuse those of another, nor a key that is in use', async () => {
    const address = newAddress()
    expect((await send(address, goodKey)).status).toBe(200)
    await flood(address, 100, () => createApiKey('prd'))
    expect((await send(address, goodKey)).status).toBe(200)
    expect((await send(newAddress(), createApiKey('prd'))).status).toBe(401)
  })

  test('of one IPv6 network of 64 bits count together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => send(`2001:db8::${(index + 1).toString(16)}`, createApiKey('prd'))),
    )
    expect(countOf(answers, 429)).toBeGreaterThan(0)
    expect((await send('2001:db8:0:1::1', createApiKey('prd'))).status).toBe(401)
  })

  test('do not delay a key that is created meanwhile', async () => {
    await flood(newAddress(), 100, () => createApiKey('prd'))
    const created = createApiKey('prd')
    createdKeys.add(created)
    expect((await send(newAddress(), created)).status).toBe(200)
  })
})
