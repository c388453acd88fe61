import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { DynamicContext } from '@parlance/contracts'
import { openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, startRedisServer, type TestServer } from '@parlance/testing'
import { createClient } from 'redis'
import { tokensSchema } from '../../src/tokens/start-tokens.js'
import { type Gateway, type Installation, startInstallation } from '../credit/installation.js'
import { serveFakeAgents } from './fake-agents.js'

const hasCode = (code: string) => ({ code })

/** TOKEN_RACES sets another number. */
const races = Number(process.env.TOKEN_RACES ?? 100)

describeWithPrograms(['nats', 'redis', 'postgres'], 'tokens', () => {
  let installation: Installation
  let gateways: Gateway[]
  let tokens: Gateway['tokens']
  let agents: Awaited<ReturnType<typeof serveFakeAgents>>
  let agentId: string
  const workspaceId = randomUUID()
  const keyId = randomUUID()

  const mint = (
    agent = agentId,
    endUserId: string | null = null,
    workspace = workspaceId,
    known: Partial<DynamicContext> = {},
  ) =>
    tokens.mintSessionToken({
      workspace_id: workspace,
      key_id: keyId,
      agent_id: agent,
      end_user_id: endUserId,
      ...known,
    })
  const mintStream = (fields: { voice_id?: string; max_characters?: number } = {}) =>
    tokens.mintStreamToken({
      workspace_id: workspaceId,
      key_id: keyId,
      voice_id: null,
      max_characters: null,
      ...fields,
    })

  beforeAll(async () => {
    installation = await startInstallation()
    await Promise.all([installation.startService(), installation.startService()])
    gateways = await Promise.all([installation.openGateway(), installation.openGateway()])
    const [{ bus, credit, tokens: client }] = gateways as [Gateway]
    tokens = client
    agents = await serveFakeAgents(bus, workspaceId)
    agentId = agents.add()
    await credit.grant({ workspace_id: workspaceId, amount: '1', reference: 'test' })
  })
  afterAll(async () => {
    await agents.stop()
    await installation.stop()
  })

  test('a session token starts one conversation with its Agent, and carries the end user, variables and metadata', async () => {
    const endUserId = randomUUID()
    const known = { variables: { name: 'Ada' }, metadata: { plan: 'gold' } }
    const { token, expires_at, ...answer } = await mint(agentId, endUserId, workspaceId, known)
    expect(token).toMatch(/^awst_[0-9A-Za-z]{38}$/)
    expect(answer).toEqual({ agent_id: agentId, capabilities: { managed_voice_agent: true, transport: 'webrtc' } })
    const minutesLeft = (Date.parse(expires_at) - Date.now()) / 60_000
    expect(Math.round(minutesLeft)).toBe(15)
    const request = { token, agent_id: agentId }
    const grant = {
      workspace_id: workspaceId,
      agent_id: agentId,
      key_id: keyId,
      end_user_id: endUserId,
      expires_at,
      ...known,
    }
    for (let n = 0; n < 3; n++) expect(await tokens.checkSessionToken(request)).toEqual(grant)
    expect(await tokens.consumeSessionToken({ token, agent_id: agentId.toUpperCase() })).toEqual(grant)
    await expect(tokens.consumeSessionToken(request)).rejects.toMatchObject(hasCode('session_token_used'))
    await expect(tokens.checkSessionToken(request)).rejects.toMatchObject(hasCode('session_token_used'))
  })

  test('reasons against minting are reported in the order of the contract', async () => {
    const poor = randomUUID()
    const poorAgents = await serveFakeAgents(gateways[1]!.bus, poor)
    // The other fake service is stopped, since it would answer some of the calls.
    await agents.stop()
    const refusal = (agent: string, endUserId: string | null = null) =>
      mint(agent, endUserId, poor).then(
        () => 'minted',
        (error: { code: string }) => error.code,
      )
    const lacking = { voice_config: { tts_variant: null, language: null, speed: 1, volume: 1 }, memory_enabled: true }
    expect(await refusal(randomUUID())).toBe('agent_not_found')
    expect(await refusal(agentId)).toBe('agent_not_found')
    expect(await refusal(poorAgents.add(null))).toBe('agent_not_published')
    expect(await refusal(poorAgents.add(lacking as never))).toBe('agent_not_api_ready')
    for (const fields of [{ memory_enabled: true }, { calendar_enabled: true }]) {
      const id = poorAgents.add(fields)
      expect(await refusal(id)).toBe('memory_identity_required')
      expect(await refusal(id, randomUUID())).toBe('insufficient_credit')
    }
    expect(await refusal(poorAgents.add())).toBe('insufficient_credit')
    await poorAgents.stop()
    agents = await serveFakeAgents(gateways[0]!.bus, workspaceId)
    agentId = agents.add()
  })

  test('a token for a draft is minted before any publication, and not for a draft that could not be published', async () => {
    const draft = (agent_id: string, workspace_id = workspaceId) =>
      tokens.mintDraftSessionToken({ workspace_id, key_id: keyId, agent_id, end_user_id: randomUUID() })
    const unpublished = agents.add(null)
    const { token } = await draft(unpublished)
    expect(await tokens.consumeSessionToken({ token, agent_id: unpublished })).toMatchObject({ draft: true })
    const problem = { field: 'voice_id', code: 'voice_not_found', detail: 'There is no such voice.' } as const
    await expect(draft(agents.addUnpublishable(problem))).rejects.toMatchObject({
      code: 'agent_not_publishable',
      message: expect.stringContaining('voice_id: There is no such voice.'),
    })
    const silent = { voice_config: { tts_variant: null, language: null, speed: 1, volume: 1 } }
    await expect(draft(agents.add(silent as never))).rejects.toMatchObject(hasCode('agent_not_api_ready'))
    await expect(draft(unpublished, randomUUID())).rejects.toMatchObject(hasCode('agent_not_found'))
  })

  test('a token for another Agent is refused with that reason, used or not, and stays valid for its own Agent', async () => {
    const { token } = await mint()
    for (const other of [randomUUID(), '', 'not an id']) {
      for (const method of ['checkSessionToken', 'consumeSessionToken'] as const) {
        await expect(tokens[method]({ token, agent_id: other })).rejects.toMatchObject(
          hasCode('session_token_agent_mismatch'),
        )
      }
    }
    await tokens.consumeSessionToken({ token, agent_id: agentId })
    await expect(tokens.consumeSessionToken({ token, agent_id: randomUUID() })).rejects.toMatchObject(
      hasCode('session_token_agent_mismatch'),
    )
  })

  test('a stream token opens one connection, with its grant', async () => {
    const limits = { voice_id: '0f'.repeat(16), max_characters: 500 }
    const { token, expires_at } = await mintStream(limits)
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 1000 / 10)).toBe(12)
    expect(await tokens.consumeStreamToken({ token })).toMatchObject({ ...limits, key_id: keyId })
    await expect(tokens.consumeStreamToken({ token })).rejects.toMatchObject(hasCode('stream_token_invalid'))
  })

  test('an invalid token, or one of the other kind, is refused and not consumed', async () => {
    const [{ token: session }, { token: stream }] = await Promise.all([mint(), mintStream()])
    for (const token of ['', 'awst_', `${session}x`, stream, 'é'.repeat(5_000)]) {
      await expect(tokens.consumeSessionToken({ token, agent_id: agentId })).rejects.toMatchObject(
        hasCode('unauthorized'),
      )
    }
    for (const token of ['', 'awtt_', session]) {
      await expect(tokens.consumeStreamToken({ token })).rejects.toMatchObject(hasCode('stream_token_invalid'))
    }
    await tokens.consumeSessionToken({ token: session, agent_id: agentId })
    await tokens.consumeStreamToken({ token: stream })
  })

  test('neither Redis nor Postgres ever contains a token', async () => {
    const minted = [(await mint()).token, (await mintStream()).token]
    await tokens.consumeSessionToken({ token: minted[0]!, agent_id: agentId })
    const redis = createClient({ url: installation.redis.url })
    await redis.connect()
    const keys = await redis.keys('tokens:*')
    const values = await Promise.all(keys.map((key) => redis.get(key)))
    redis.destroy()
    const database = await openPostgresDatabase({ url: installation.postgres.url, ...tokensSchema })
    const rows = await database.acrossWorkspaces((transaction) =>
      transaction.query('select t::text from consumed_tokens t'),
    )
    await database.close()
    const all = JSON.stringify([keys, values, rows])
    const hash = createHash('sha256').update(minted[0]!).digest('hex')
    expect(all.split(hash).length).toBeGreaterThan(3)
    for (const token of minted) expect(all).not.toContain(token.slice('awst_'.length, -6))
  })

  /** Whether this call consumed the token. Retries when a store timed out on a busy machine. */
  const wins = async ({ tokens }: Gateway, token: string): Promise<boolean> => {
    for (;;) {
      try {
        await tokens.consumeSessionToken({ token, agent_id: agentId }, { deadlineMs: 60_000 })
        return true
      } catch (error) {
        if ((error as { code?: string }).code === 'unavailable') continue
        expect(error).toMatchObject(hasCode('session_token_used'))
        return false
      }
    }
  }

  /**
   * Lets 20 callers use each token at once, over both gateways and both services. Resolves to the number of winners of
   * each.
   */
  const race = async (minted: readonly string[], racers: readonly Gateway[]): Promise<number[]> => {
    const winners: number[] = []
    const runFor = async (n: number) => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, racer) => wins(racers[racer % racers.length]!, minted[n]!)),
      )
      winners[n] = outcomes.filter(Boolean).length
    }
    let next = 0
    const lane = async () => {
      while (next < minted.length) await runFor(next++)
    }
    await Promise.all(Array.from({ length: 8 }, lane))
    return winners
  }

  const persistently = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!(error as { retryable?: boolean }).retryable) throw error
      }
    }
  }

  const mintMany = async (count: number): Promise<string[]> => {
    const minted: string[] = []
    while (minted.length < count) {
      const some = await Promise.all(Array.from({ length: 50 }, () => persistently(mint)))
      minted.push(...some.map(({ token }) => token))
    }
    return minted
  }

  test('of 20 concurrent requests with one token exactly one succeeds', async () => {
    const winners = await race(await mintMany(races), gateways)
    expect(winners).toHaveLength(races)
    expect(winners.filter((count) => count !== 1)).toEqual([])
  })

  describe('when a replica that missed the consumption is promoted', () => {
    let replica: TestServer
    beforeAll(async () => {
      replica = await startRedisServer()
    })
    afterAll(() => replica.stop())

    test('a token that was consumed before has no winner, and each other token has one', async () => {
      const minted = await mintMany(100)
      const direct = createClient({ url: replica.url })
      await direct.connect()
      await direct.sendCommand(['REPLICAOF', '127.0.0.1', new URL(installation.redis.url).port])
      while (!String(await direct.sendCommand(['INFO', 'replication'])).includes('master_link_status:up'))
        await delay(5)
      for (const token of minted) {
        const key = `tokens:{${createHash('sha256').update(token).digest('hex')}}`
        while ((await direct.get(key)) === null) await delay(5)
      }
      await direct.sendCommand(['REPLICAOF', 'NO', 'ONE'])
      const [consumed, fresh] = [minted.slice(0, 50), minted.slice(50)]
      expect(await race(consumed, gateways)).toEqual(consumed.map(() => 1))
      const missed = `tokens:{${createHash('sha256').update(consumed[0]!).digest('hex')}}:used`
      expect(await direct.get(missed)).toBeNull()
      direct.destroy()

      const failedOver = await startInstallation({}, { redis: replica, postgres: installation.postgres })
      try {
        await failedOver.startService()
        const gateway = await failedOver.openGateway()
        const again = await serveFakeAgents(gateway.bus, workspaceId)
        expect(await race(consumed, [gateway])).toEqual(consumed.map(() => 0))
        expect(await race(fresh, [gateway])).toEqual(fresh.map(() => 1))
        await again.stop()
      } finally {
        await failedOver.stop()
      }
    })
  })
})
