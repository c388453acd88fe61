import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { createAccountLimit } from '../../src/people/sign-in-limit.js'

describe('the limit of sign-ins to an account', () => {
  let ttl: TtlStore
  let waits: number
  let warned: string[]
  beforeEach(() => {
    ttl = createMemoryTtlStore()
    waits = 0
    warned = []
  })
  afterEach(() => ttl.close())

  const create = () =>
    createAccountLimit({
      ttl,
      onTooMany: (email) => warned.push(email),
      wait: async () => {
        waits++
      },
    })
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${index}`)

  test('after thirty attempts from any addresses each further one waits, and each address may make three', async () => {
    const limit = create()
    for (const address of addresses(30)) expect(await limit('Ada@example.com', address)).toBeUndefined()
    expect([waits, warned]).toEqual([0, []])
    const results: (number | undefined)[] = []
    for (let attempt = 0; attempt < 4; attempt++) results.push(await limit('ada@example.com', '203.0.113.1'))
    expect(results).toEqual([undefined, undefined, undefined, expect.any(Number)])
    expect([waits, warned]).toEqual([3, ['ada@example.com']])
    expect(await limit('ada@example.com', '203.0.113.2')).toBeUndefined()
    expect([waits, warned]).toEqual([4, ['ada@example.com']])
  })

  test('attempts of an address that are refused do not slow the account for others', async () => {
    const limit = create()
    const results: (number | undefined)[] = []
    for (let attempt = 0; attempt < 50; attempt++) results.push(await limit('ada@example.com', '198.51.100.1'))
    expect(results.filter((result) => result === undefined)).toHaveLength(10)
    expect(await limit('ada@example.com', '203.0.113.1')).toBeUndefined()
    expect([waits, warned]).toEqual([0, ['ada@example.com']])
  })
})
