/**
 * Random histories of credit while its servers fail: no credit is spent twice, settled charges stay settled, and unspent credit
 * returns. CREDIT_FAULTS sets the number of failures in each test, and FC_SEED repeats the histories and the times of failure.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type CreditReserver, maxReservedNano, parseCredit } from '@parlance/clients/credit'
import { ServiceError, type Usage } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { describeWithPrograms, startRedisServer, type TestServer, testSeed } from '@parlance/testing'
import { checkLedger, countLeased, countOverdrawn, openLedger } from './check-ledger.js'
import { printHistory } from './credit-history.js'
import { createCreditModel, least } from './credit-model.js'
import { type CreditWorkload, startCreditWorkload } from './credit-workload.js'
import { type Gateway, type Installation, startInstallation } from './installation.js'
import { cutReplica, followRedis, promoteReplica, sendToRedis } from './redis-console.js'
import { openRedisRoute, type RedisRoute } from './redis-route.js'

/** The number of failures in each test. */
const faults = Number(process.env.CREDIT_FAULTS ?? 1)

const usage: Usage = { kind: 'tts', key_id: null, agent_id: null, quantities: { tts_characters: 7 } }

/** Reserves, and retries while a server recovers: `unavailable` is a retryable error. */
const reservedAtLast = async (
  reserver: Pick<CreditReserver, 'reserve'>,
  order: Parameters<CreditReserver['reserve']>[0],
): ReturnType<CreditReserver['reserve']> => {
  for (;;) {
    try {
      return await reserver.reserve(order)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'unavailable')) throw error
      await delay(50)
    }
  }
}

describeWithPrograms(['nats', 'redis', 'postgres'], 'credit, while its servers fail', () => {
  let installation: Installation
  let ledger: Database
  /** Each is the address of Redis for one service and one gateway. */
  let routes: [RedisRoute, RedisRoute]
  let gateways: [Gateway, Gateway]
  let services: Awaited<ReturnType<Installation['startProcess']>>[]

  const seed = testSeed()
  let randomState = seed
  /** A pseudo-random number from `from` to `to`, from a linear congruential generator. */
  const random = (from: number, to: number): number => {
    randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
    return from + Math.floor((randomState / 2 ** 32) * (to - from + 1))
  }
  const aWhile = (workload: CreditWorkload) => workload.more(random(20, 300))

  /** Stops the work of a test that timed out. */
  let over: AbortController
  beforeEach(() => {
    over = new AbortController()
  })
  afterEach(() => over.abort())

  beforeAll(async () => {
    process.stdout.write(`credit under failure: seed ${seed}\n`)
    const settings = { CREDIT_HOLD_SECONDS: '1', CREDIT_LEASE_SECONDS: '1', CREDIT_LEASE_BLOCK: '0.00000002' }
    installation = await startInstallation(settings)
    routes = [await openRedisRoute(installation.redis), await openRedisRoute(installation.redis)]
    services = []
    for (const route of routes) services.push(await installation.startProcess(route))
    gateways = [await installation.openGateway(routes[0]), await installation.openGateway(routes[1])]
    ledger = await openLedger(installation.postgres.url)
  })
  afterAll(async () => {
    await ledger?.close()
    await installation?.stop()
    for (const route of routes ?? []) await route.close()
  })

  const allReturned = async () => {
    while (!over.signal.aborted && (await countLeased(ledger)) > 0) await delay(50)
  }

  /** Runs a workload during the failures, and checks all of it when lost credit has returned. */
  const survives = async (fail: (workload: CreditWorkload) => Promise<void>): Promise<void> => {
    const workload = startCreditWorkload({ seed: randomState, gateways, signal: over.signal })
    let watching = true
    const watch = async () => {
      while (watching && !over.signal.aborted) {
        expect(await countOverdrawn(ledger)).toBe(0)
        await delay(100)
      }
    }
    const watched = watch()
    try {
      await aWhile(workload)
      await fail(workload)
      await aWhile(workload)
    } finally {
      const stopped = workload.end().catch(() => {})
      watching = false
      await Promise.all([stopped, watched])
    }
    const played = await workload.end()
    await allReturned()

    const wrong = await checkLedger(ledger, played, { gateways, faults: true })
    const reports = [...wrong].map(([{ model, workspaceId }, problems]) => {
      const { history } = played.find((one) => one.workspaceId === workspaceId)!
      return [...problems, `${model.reservations.size} reservations`, printHistory(history)].join('\n')
    })
    if (reports.length > 0)
      throw new Error(`${reports.length} are wrong, seed ${seed}:\n${reports.slice(0, 3).join('\n\n')}`)

    const { credit, reserver } = gateways[0]
    await installation.redisIsBack()
    for (const { workspaceId } of played) {
      const [found] = (await credit.reconcile({ workspace_id: workspaceId })).workspaces
      expect(found).toMatchObject({ leased: '0.00', ledger_difference: '0.00', counter_difference: null })
    }
    // The whole credit can be reserved again.
    for (const { workspaceId } of played.slice(-20)) {
      const { balance, reserved } = await credit.getBalance({ workspace_id: workspaceId })
      expect(reserved).toBe('0.00')
      const amountNano = least([parseCredit(balance), maxReservedNano])
      if (amountNano > 0n) (await reserver.reserve({ workspaceId, amountNano })).release()
    }
    await allReturned()
    expect(installation.failures).toEqual([])
  }

  test('while Redis is emptied', async () => {
    await survives(async (workload) => {
      for (let times = 0; times < faults; times++) {
        await sendToRedis(installation.redis, 'FLUSHALL')
        await aWhile(workload)
      }
    })
  })

  test('while Redis is killed and restarts empty', async () => {
    await survives(async (workload) => {
      for (let times = 0; times < faults; times++) {
        await installation.redis.kill()
        await delay(random(0, 300))
        await installation.redis.restart()
        await aWhile(workload)
      }
    })
  })

  test('while Redis is killed and restarts with old data', async () => {
    await survives(async (workload) => {
      for (let times = 0; times < faults; times++) {
        await sendToRedis(installation.redis, 'SAVE')
        await aWhile(workload)
        await installation.redis.kill()
        await installation.redis.restart()
        expect(await sendToRedis(installation.redis, 'DBSIZE')).toBeGreaterThan(0)
        await aWhile(workload)
      }
    })
  })

  test('while a replica without the latest writes is promoted, and clients switch to it at different times', async () => {
    const replica = await startRedisServer()
    try {
      await survives(async (workload) => {
        let [master, next]: TestServer[] = [installation.redis, replica]
        for (let times = 0; times < faults; times++) {
          await followRedis(next!, master!)
          await aWhile(workload)
          await cutReplica(next!)
          await aWhile(workload)
          await promoteReplica(next!)
          expect(await sendToRedis(next!, 'DBSIZE')).toBeGreaterThan(0)
          const [sooner, later] = random(0, 1) === 0 ? routes : [routes[1], routes[0]]
          sooner.leadTo(next!)
          await aWhile(workload)
          later.leadTo(next!)
          ;[master, next] = [next, master]
          await aWhile(workload)
        }
      })
    } finally {
      for (const route of routes) route.leadTo(installation.redis)
      await replica.stop()
    }
  })

  test('while the services are killed at random times and restarted', async () => {
    await survives(async (workload) => {
      for (let times = 0; times < faults; times++) {
        const which = random(0, 1)
        const killed = services[which]!
        killed.kill('SIGKILL')
        await once(killed, 'exit')
        services[which] = await installation.startProcess(routes[which]!)
        await aWhile(workload)
      }
    })
  })

  test('reservations in a lost counter can still be settled, and their credit is not spent twice', async () => {
    const [{ credit, reserver, outcomes }] = gateways
    const workspaceId = randomUUID()
    await credit.grant({ workspace_id: workspaceId, amount: '0.0000001', reference: 'first' })
    const before = await reserver.reserve({ workspaceId, amountNano: 60n })
    await sendToRedis(installation.redis, 'FLUSHALL')
    // The lease of the first reservation has no further credit, so the others use another lease.
    const refused = reserver.reserve({ workspaceId, amountNano: 41n })
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_credit' })
    const after = await reserver.reserve({ workspaceId, amountNano: 40n })
    expect(after.reservation.lease_id).not.toBe(before.reservation.lease_id)
    const model = createCreditModel()
    model.askGrant('first', 100n)
    model.grant('first', 100n)
    for (const { reservation, settle } of [before, after]) {
      const charge = parseCredit(reservation.amount)
      settle(charge, usage)
      model.reservations.set(reservation.id, { reservation, mayCharge: [charge] })
    }
    while (![before, after].every(({ reservation }) => outcomes.has(reservation.id))) await delay(5)
    await allReturned()
    expect(await checkLedger(ledger, [{ workspaceId, model }], { gateways })).toEqual(new Map())
  })

  test('no connection, old or new, reserves from a counter of an earlier epoch', async () => {
    const [{ credit, reserver }] = gateways
    const workspaceId = randomUUID()
    await credit.grant({ workspace_id: workspaceId, amount: '0.0000001', reference: 'first' })
    const before = await reserver.reserve({ workspaceId, amountNano: 10n })
    await cutReplica(installation.redis)
    await promoteReplica(installation.redis)
    const after = await reservedAtLast(reserver, { workspaceId, amountNano: 10n })
    expect(after.reservation.lease_id).not.toBe(before.reservation.lease_id)
    before.release()
    after.release()
    await allReturned()
  })

  test('when a gateway is killed, its reservations return and its settlements stay', async () => {
    const vanishing = await installation.openGateway(routes[0])
    const played = []
    const settled: string[] = []
    for (let count = 0; count < 50; count++) {
      const workspaceId = randomUUID()
      const model = createCreditModel()
      model.askGrant('first', 100n)
      await vanishing.credit.grant({ workspace_id: workspaceId, amount: '0.0000001', reference: 'first' })
      model.grant('first', 100n)
      const reservations = await Promise.all(
        [10n, 20n, 30n, 40n].map((amountNano) => vanishing.reserver.reserve({ workspaceId, amountNano })),
      )
      for (const { reservation, settle } of reservations) {
        const charge = random(0, 1) === 0 ? parseCredit(reservation.amount) : undefined
        model.reservations.set(reservation.id, { reservation, ...(charge !== undefined && { mayCharge: [charge] }) })
        if (charge === undefined) continue
        settle(charge, usage)
        settled.push(reservation.id)
      }
      played.push({ workspaceId, model })
    }
    while (!settled.every((id) => vanishing.outcomes.has(id))) await delay(5)
    await vanishing.vanish()
    await allReturned()
    expect(await checkLedger(ledger, played, { gateways: [vanishing] })).toEqual(new Map())
  })
})
