import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createCreditCounter, parseCredit } from '@parlance/clients/credit'
import { maxReservationEnds, type ReservationEnd, type Usage } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { type Gateway, type Installation, startInstallation } from './installation.js'

const usage = (fields: Partial<Usage> = {}): Usage => ({
  kind: 'tts',
  key_id: null,
  agent_id: null,
  quantities: { tts_characters: 7 },
  ...fields,
})

describeWithPrograms(['nats', 'redis', 'postgres'], 'credit', () => {
  let installation: Installation
  let gateway: Gateway
  let credit: Gateway['credit']

  const grant = (workspaceId: string, amount: string, reference = 'first') =>
    credit.grant({ workspace_id: workspaceId, amount, reference })
  const newWorkspace = async (amount = '10') => {
    const workspaceId = randomUUID()
    await grant(workspaceId, amount)
    return workspaceId
  }
  const resolve = (ending: ReservationEnd) => gateway.endHold(ending)
  const settled = (charged: string) => ({ resolution: 'settled', charged })
  const balance = async (workspaceId: string) => {
    const { balance, reserved } = await credit.getBalance({ workspace_id: workspaceId })
    return { balance, reserved }
  }
  const reserve = (workspaceId: string, amount: string) =>
    gateway.reserver.reserve({ workspaceId, amountNano: parseCredit(amount) })
  const reconcile = async (workspaceId: string) => (await credit.reconcile({ workspace_id: workspaceId })).workspaces[0]
  const until = async (check: () => Promise<boolean>) => {
    while (!(await check())) await delay(10)
  }
  const noneReserved = (workspaceId: string) => until(async () => (await balance(workspaceId)).reserved === '0.00')
  const insufficient = { code: 'insufficient_credit' }
  const invalid = { code: 'invalid_request' }

  beforeAll(async () => {
    installation = await startInstallation({ CREDIT_LEASE_SECONDS: '1', CREDIT_HOLD_SECONDS: '10' })
    await Promise.all([installation.startService(), installation.startService()])
    gateway = await installation.openGateway()
    credit = gateway.credit
  })
  afterAll(() => installation.stop())

  test('reserved credit is shown as reserved, settled credit is spent, and the rest returns', async () => {
    const workspaceId = await newWorkspace()
    const [first, second] = [await reserve(workspaceId, '2.5'), await reserve(workspaceId, '0.000000001')]
    expect(await balance(workspaceId)).toEqual({ balance: '10.00', reserved: '2.500000001' })
    first.settle(parseCredit('1.25'), usage())
    second.release()
    await noneReserved(workspaceId)
    expect(await balance(workspaceId)).toEqual({ balance: '8.75', reserved: '0.00' })
    expect(await reconcile(workspaceId)).toMatchObject({ granted: '10.00', spent: '1.25', ledger_difference: '0.00' })
  })

  test('a grant is made once for its reference, for any number of simultaneous and repeated requests', async () => {
    const workspaceId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => grant(workspaceId, '3.50')))
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await grant(workspaceId, '3.5')).toMatchObject({ balance: '3.50', replayed: true })
    await expect(grant(workspaceId, '3.51')).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(await grant(workspaceId, '1', 'second')).toMatchObject({ balance: '4.50', replayed: false })
    expect(await newWorkspace('1')).not.toBe(workspaceId)
  })

  test.each([
    ['0', 'nothing'],
    ['0.000000000', 'a reference'],
    ['1', 'zero \0 byte'],
  ])('a grant of %s with the reference %j is refused', async (amount, reference) => {
    await expect(grant(randomUUID(), amount, reference)).rejects.toMatchObject(invalid)
  })

  test('grants beyond the largest decimal are refused and change nothing', async () => {
    const workspaceId = await newWorkspace('999999999.999999999')
    await expect(grant(workspaceId, '0.000000001', 'too much')).rejects.toMatchObject(invalid)
    expect((await balance(workspaceId)).balance).toBe('999999999.999999999')
  })

  test('without a grant, or without credit left, nothing can be reserved', async () => {
    const workspaceId = randomUUID()
    for (const amount of ['1', '0']) await expect(reserve(workspaceId, amount)).rejects.toMatchObject(insufficient)
    await expect(credit.requireCredit({ workspace_id: workspaceId })).rejects.toMatchObject(insufficient)
    expect(await balance(workspaceId)).toEqual({ balance: '0.00', reserved: '0.00' })
    await grant(workspaceId, '1')
    await credit.requireCredit({ workspace_id: workspaceId })
    const all = await reserve(workspaceId, '1')
    await expect(reserve(workspaceId, '0.000000001')).rejects.toMatchObject(insufficient)
    await expect(credit.requireCredit({ workspace_id: workspaceId })).rejects.toMatchObject(insufficient)
    all.release()
    await noneReserved(workspaceId)
    await credit.requireCredit({ workspace_id: workspaceId })
    ;(await reserve(workspaceId, '1')).release()
  })

  test('a reservation ends once: a second, different end gets the outcome of the first', async () => {
    const workspaceId = await newWorkspace()
    const { reservation } = await reserve(workspaceId, '4')
    const settle = (charge: string) => ({ hold: reservation, charge, usage: usage() })
    const endings = [
      settle('1'),
      ...Array.from({ length: 9 }, (_, n) => settle(`0.${n + 1}`)),
      { hold: reservation, charge: '0', usage: null },
    ]
    const [alone, together] = [endings.slice(0, 6), endings.slice(6)]
    const answers = await Promise.all([...alone.map(resolve), credit.resolve({ endings: together })])
    const outcomes = answers.flatMap((answer) => ('outcomes' in answer ? answer.outcomes : [answer]))
    expect(outcomes).toHaveLength(endings.length)
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    const [outcome] = outcomes
    const charged = outcome !== undefined && 'charged' in outcome ? Number(outcome.charged) : Number.NaN
    expect((await balance(workspaceId)).balance).toBe((10 - charged).toFixed(2))
  })

  test('a reservation whose ids are sent in upper case is the same reservation', async () => {
    const workspaceId = await newWorkspace()
    const { reservation, release } = await reserve(workspaceId, '4')
    const loud = {
      id: reservation.id.toUpperCase(),
      lease_id: reservation.lease_id.toUpperCase(),
      workspace_id: workspaceId.toUpperCase(),
      amount: reservation.amount,
    }
    const answers = await Promise.all(
      [reservation, loud, reservation].map((one) => resolve({ hold: one, charge: '1', usage: usage() })),
    )
    expect(answers).toEqual(Array(3).fill(settled('1.00')))
    expect(await balance(workspaceId)).toEqual({ balance: '9.00', reserved: '0.00' })
    release()
  })

  test('a charge above the reserved amount, or without usage, is refused, and the other reservations of the request end', async () => {
    const workspaceId = await newWorkspace()
    const [bad, good] = [await reserve(workspaceId, '4'), await reserve(workspaceId, '1')]
    const { reservation } = bad
    const elsewhere = { ...reservation, workspace_id: await newWorkspace() }
    const { outcomes } = await credit.resolve({
      endings: [
        { hold: reservation, charge: '4.000000001', usage: usage() },
        { hold: reservation, charge: '1', usage: null },
        { hold: elsewhere, charge: '1', usage: usage() },
        { hold: good.reservation, charge: '1', usage: usage() },
        { hold: { ...reservation, lease_id: randomUUID() }, charge: '1', usage: usage() },
      ],
    })
    const refused = { refused: expect.any(String) }
    expect(outcomes).toEqual([refused, refused, refused, settled('1.00'), refused])
    expect(await balance(workspaceId)).toEqual({ balance: '9.00', reserved: '4.00' })
    bad.release()
  })

  test('one request ends at least one reservation and at most the maximum', async () => {
    const { reservation, release } = await reserve(await newWorkspace(), '1')
    const ending = { hold: reservation, charge: '0', usage: null }
    for (const endings of [[], Array<ReservationEnd>(maxReservationEnds + 1).fill(ending)]) {
      await expect(credit.resolve({ endings })).rejects.toMatchObject(invalid)
    }
    release()
  })

  test('the usage report by day, agent, key and kind adds up', async () => {
    const workspaceId = await newWorkspace()
    const [agent, key] = [randomUUID(), randomUUID()]
    const spend = async (charge: string, of: Partial<Usage>) =>
      resolve({ hold: (await reserve(workspaceId, '1')).reservation, charge, usage: usage(of) })
    await spend('0.25', { key_id: key })
    await spend('0.5', { key_id: key, agent_id: agent, kind: 'session', quantities: { session_seconds: 1.5 } })
    await spend('0', {})
    ;(await reserve(workspaceId, '1')).release()
    const day = new Date().toISOString().slice(0, 10)
    const ask = async (groupBy: 'day' | 'agent' | 'api_key' | 'kind', to = '2999-01-01T00:00:00.000Z') => {
      const from = '2000-01-01T00:00:00.000Z'
      const { usage } = await credit.getUsage({ workspace_id: workspaceId, from, to, group_by: groupBy })
      return usage.map(({ key, credit_used, operations, tts_characters, session_seconds }) => [
        ...[key, credit_used, operations, tts_characters, session_seconds],
      ])
    }
    expect(await ask('day')).toEqual([[day, '0.75', 3, 14, 1.5]])
    expect(await ask('kind')).toEqual([
      ['session', '0.50', 1, 0, 1.5],
      ['tts', '0.25', 2, 14, 0],
    ])
    expect(await ask('agent')).toEqual([
      [agent, '0.50', 1, 0, 1.5],
      [null, '0.25', 2, 14, 0],
    ])
    expect(await ask('api_key')).toEqual([
      [key, '0.75', 2, 7, 1.5],
      [null, '0.00', 1, 7, 0],
    ])
    expect(await ask('day', '2001-01-01T00:00:00.000Z')).toEqual([])
  })

  test('a reservation that is not renewed expires, its credit returns, and it cannot be charged any more', async () => {
    const workspaceId = await newWorkspace()
    const { redis, postgres } = installation
    const brief = await startInstallation({ CREDIT_HOLD_SECONDS: '1', CREDIT_LEASE_SECONDS: '1' }, { redis, postgres })
    await brief.startService()
    const { credit: briefCredit } = await brief.openGateway()
    // Made in the counter directly, so that it is not renewed.
    const counter = createCreditCounter(gateway.ttl)
    const id = randomUUID()
    let reserved: Awaited<ReturnType<typeof counter.reserve>>
    do {
      await briefCredit.lease({ workspace_id: workspaceId, amount: '1' })
      reserved = await counter.reserve(workspaceId, id, parseCredit('1'))
    } while (typeof reserved === 'string')
    await noneReserved(workspaceId)
    const reservation = { id, workspace_id: workspaceId, lease_id: reserved.leaseId, amount: '1.00' }
    expect(await resolve({ hold: reservation, charge: '1', usage: usage() })).toEqual({
      resolution: 'expired',
      charged: '0.00',
    })
    expect((await balance(workspaceId)).balance).toBe('10.00')
    await brief.stop()
  })

  test('a renewed reservation outlives the term of its lease, and unused credit does not stay leased', async () => {
    const workspaceId = await newWorkspace()
    const long = await reserve(workspaceId, '2')
    await delay(2_500)
    expect((await balance(workspaceId)).reserved).toBe('2.00')
    long.settle(parseCredit('2'), usage())
    await until(async () => (await reconcile(workspaceId))?.counter_difference === null)
    expect(await reconcile(workspaceId)).toMatchObject({ available: '8.00', leased: '0.00', spent: '2.00' })
  })

  test('a lease that has received the maximum is followed by another, and both are charged', async () => {
    const workspaceId = await newWorkspace('9000000')
    const reservations = []
    for (let n = 0; n < 9; n++) reservations.push(await reserve(workspaceId, '1000000'))
    expect(new Set(reservations.map(({ reservation }) => reservation.lease_id)).size).toBeGreaterThan(1)
    await expect(reserve(workspaceId, '1')).rejects.toMatchObject(insufficient)
    for (const { reservation } of reservations) {
      expect(await resolve({ hold: reservation, charge: '999999.999999999', usage: usage() })).toMatchObject({
        charged: '999999.999999999',
      })
    }
    expect((await balance(workspaceId)).balance).toBe('0.000000009')
    await until(async () => (await reconcile(workspaceId))?.leased === '0.00')
    expect(await reconcile(workspaceId)).toMatchObject({ available: '0.000000009', ledger_difference: '0.00' })
  })

  test('all workspaces that ever had credit are reconciled, page by page', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await credit.reconcile({ limit: 3, ...(cursor && { cursor }) })
      for (const { workspace_id, ledger_difference, counter_difference } of page.workspaces) {
        seen.push(workspace_id)
        expect([ledger_difference, counter_difference ?? '0.00']).toEqual(['0.00', '0.00'])
      }
      cursor = page.next_cursor
    } while (cursor !== undefined)
    const all = (await credit.reconcile({})).workspaces.map(({ workspace_id }) => workspace_id)
    expect(seen).toEqual(all)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(5)
  })
})
