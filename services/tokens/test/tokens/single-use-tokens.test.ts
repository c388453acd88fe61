import { randomUUID } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { createSingleUseTokens, sessionTokenKind, streamTokenKind } from '../../src/tokens/single-use-tokens.js'

const minute = 60_000
const stream = { workspace_id: randomUUID(), key_id: randomUUID(), voice_id: null, max_characters: null }

/** The unique rows, as a set. Inserts reject with `failing` when it is set. */
const createConsumptions = () => {
  const rows = new Set<string>()
  const state = { rows, failing: undefined as Error | undefined }
  return {
    state,
    async insert({ tokenHash }: { tokenHash: Buffer }) {
      if (state.failing !== undefined) throw state.failing
      const name = tokenHash.toString('hex')
      return !rows.has(name) && rows.add(name) !== undefined
    },
    has: async ({ tokenHash }: { tokenHash: Buffer }) => rows.has(tokenHash.toString('hex')),
  }
}

let ttl: TtlStore
let nowMs: number
let consumptions: ReturnType<typeof createConsumptions>
beforeEach(() => {
  ttl = createMemoryTtlStore()
  nowMs = Date.parse('2026-01-31T09:30:00.000Z')
  consumptions = createConsumptions()
})
afterEach(() => ttl.close())

const open = (store: Pick<TtlStore, 'get' | 'set'> = ttl) =>
  createSingleUseTokens(streamTokenKind, { ttl: store, consumptions, now: () => nowMs })

const issueAndFind = async (tokens = open()) => {
  const { token, expires_at } = await tokens.issue(stream)
  const grant = await tokens.find(token)
  if (grant === undefined) throw new Error('the token was not found')
  return { tokens, token, expires_at, grant }
}

test('a token is found with its whole grant and its expiry time', async () => {
  const { token, expires_at, grant } = await issueAndFind()
  expect(token).toMatch(/^awtt_[0-9A-Za-z]{38}$/)
  expect(expires_at).toBe('2026-01-31T09:32:00.000Z')
  expect(grant).toEqual({ ...stream, expires_at })
})

test('a token of another kind, with a typing error or with a suffix is not found', async () => {
  const { tokens, token } = await issueAndFind()
  const session = createSingleUseTokens(sessionTokenKind, { ttl, consumptions })
  const { workspace_id, key_id } = stream
  const of = { workspace_id, key_id, agent_id: randomUUID(), end_user_id: null, variables: {}, metadata: {} }
  const other = await session.issue(of)
  const typo = token.slice(0, 8) + (token[8] === 'a' ? 'b' : 'a') + token.slice(9)
  for (const text of [other.token, typo, `${token} `, `${token}\n`, token.toLowerCase(), '', '\0', 'awtt_']) {
    expect(await tokens.find(text)).toBeUndefined()
  }
})

test('a token expires at its own time, even when the store still has it', async () => {
  const { tokens, token, grant } = await issueAndFind()
  nowMs += 2 * minute - 1
  expect(tokens.hasExpired(grant)).toBe(false)
  nowMs += 1
  expect(tokens.hasExpired((await tokens.find(token))!)).toBe(true)
})

test('a token is consumed once, also when the store has lost the mark', async () => {
  const { tokens, token, grant } = await issueAndFind()
  expect(await tokens.isConsumed(token, grant)).toBe(false)
  const won = await Promise.all(Array.from({ length: 20 }, () => tokens.consume(token, grant)))
  expect(won.filter(Boolean)).toHaveLength(1)
  expect(await tokens.isConsumed(token, grant)).toBe(true)

  const forgetful = open({ ...ttl, get: async () => null })
  expect(await forgetful.isConsumed(token, grant)).toBe(true)
  expect(await forgetful.consume(token, grant)).toBe(false)
})

test('when the consumption cannot be stored, the token is not consumed and can be used again', async () => {
  const { tokens, token, grant } = await issueAndFind()
  consumptions.state.failing = new ServiceError('unavailable', 'Try again.')
  await expect(tokens.consume(token, grant)).rejects.toMatchObject({ code: 'unavailable' })
  consumptions.state.failing = undefined
  expect(await tokens.consume(token, grant)).toBe(true)
})

test('a store that cannot be written to does not prevent the use of a token', async () => {
  const { token, grant } = await issueAndFind()
  const broken = open({ ...ttl, set: () => Promise.reject(new ServiceError('unavailable', 'Try again.')) })
  expect(await broken.consume(token, grant)).toBe(true)
  expect(await broken.consume(token, grant)).toBe(false)
})

test('no token or part of a token is stored', async () => {
  const written: string[] = []
  const spying = open({
    ...ttl,
    set: (key, value, ttlMs) => {
      written.push(key, value)
      return ttl.set(key, value, ttlMs)
    },
  })
  const { token, grant } = await issueAndFind(spying)
  await spying.consume(token, grant)
  expect(written.length).toBeGreaterThan(2)
  expect(written.join('\n')).not.toContain(token.slice('awtt_'.length, 20))
})
