import { randomUUID } from 'node:crypto'
import { createCreditCounter, parseCredit } from '@parlance/clients/credit'
import { webhookEventSchema } from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { createMemoryTtlStore, type Database, openPostgresDatabase, type TtlStore } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import fc from 'fast-check'
import { creditLevelOf } from '../../src/credit/credit-level.js'
import { leaseTermsOf } from '../../src/credit/credit-settings.js'
import { endReservations } from '../../src/credit/end-reservations.js'
import { grantCredit } from '../../src/credit/grant-credit.js'
import { createLeaseCredit } from '../../src/credit/lease-credit.js'

const creditSchema = tokens.databases!.find(({ schema }) => schema === 'credit')!
const lowNano = parseCredit('1')

test('less credit never has a better level, and zero credit is always exhausted', () => {
  const severities = ['enough', 'low', 'exhausted']
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n }),
      fc.bigInt({ min: 0n, max: 10n }),
      fc.bigInt({ min: 0n, max: 10n }),
      fc.boolean(),
      (a, b, low, isRefused) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        const severity = (balance: bigint) => severities.indexOf(creditLevelOf(balance, low, isRefused))
        expect(severity(less)).toBeGreaterThanOrEqual(severity(more))
        expect(creditLevelOf(0n, low, isRefused)).toBe('exhausted')
      },
    ),
  )
})

describeWithPrograms(['postgres'], 'webhooks', () => {
  let server: TestServer
  let database: Database
  let ttl: TtlStore
  beforeAll(async () => {
    server = await startPostgresServer()
    database = await openPostgresDatabase({ url: server.url, ...creditSchema })
    ttl = createMemoryTtlStore()
  })
  afterAll(async () => {
    await ttl.close()
    await database.close()
    await server.stop()
  })

  const openWorkspace = () => {
    const workspaceId = randomUUID()
    const fallen: string[] = []
    const onFell = (level: string) => void fallen.push(level)
    const counter = createCreditCounter(ttl)
    const terms = leaseTermsOf(tokens.env.parse({}))
    const lease = createLeaseCredit({ database, counter, terms, lowNano, onFell })
    const usage = {
      ...{ kind: 'tts' as const, key_id: randomUUID(), agent_id: null },
      quantities: { tts_characters: 1 },
    }
    return {
      fallen,
      grant: (amount: string) =>
        grantCredit(database, { workspaceId, amountNano: parseCredit(amount), reference: randomUUID() }, lowNano),
      lease: (amount: string) => lease(workspaceId, parseCredit(amount)),
      async spend(amount: string) {
        expect(await lease(workspaceId, parseCredit(amount))).toBe(true)
        const { leaseId } = (await counter.read(workspaceId))!
        const amountNano = parseCredit(amount)
        const reservation = { workspaceId, leaseId, id: randomUUID(), amountNano, chargeNano: amountNano }
        await endReservations(database, [{ ...reservation, resolution: 'settled', usage }], lowNano, onFell)
      },
      async events() {
        const rows = await database.inWorkspace(workspaceId, (transaction) =>
          transaction.query<{ payload: unknown }>(
            `select payload from outbox where destination = 'webhooks' order by created_at`,
          ),
        )
        return rows.map(({ payload }) => webhookEventSchema.parse(payload))
      },
    }
  }

  test('are sent low credit once, and again after a grant', async () => {
    const workspace = openWorkspace()
    await workspace.grant('2')
    await workspace.spend('0.9')
    expect(await workspace.events()).toEqual([])
    await workspace.spend('0.2')
    await workspace.spend('0.2')
    const low = { type: 'credit.low', data: { balance: '0.90', unit: 'credit', threshold: '1.00' } }
    expect(await workspace.events()).toEqual([low])
    await workspace.grant('1')
    await workspace.spend('1')
    expect(await workspace.events()).toEqual([low, { ...low, data: { ...low.data, balance: '0.70' } }])
  })

  test('are sent that credit is exhausted when nothing is left', async () => {
    const workspace = openWorkspace()
    await workspace.grant('0.5')
    await workspace.spend('0.5')
    expect((await workspace.events()).map(({ type }) => type)).toEqual(['credit.exhausted'])
  })

  test('are sent that credit is exhausted when work is refused while credit is low, and not when the request was too large', async () => {
    const workspace = openWorkspace()
    await workspace.grant('2')
    expect(await workspace.lease('500')).toBe(false)
    expect(await workspace.events()).toEqual([])
    await workspace.spend('1.5')
    expect(await workspace.lease('500')).toBe(false)
    expect(await workspace.lease('500')).toBe(false)
    expect((await workspace.events()).map(({ type }) => type)).toEqual(['credit.low', 'credit.exhausted'])
    expect(workspace.fallen).toEqual(['low', 'exhausted'])
  })
})
