import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createCreditReserver } from '@parlance/clients/credit'
import { ServiceError, type Usage } from '@parlance/contracts'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'
import { createFakeCredit, type FakeCreditOptions } from './fake-credit.js'

const usage: Usage = { kind: 'tts', key_id: null, agent_id: null, quantities: { tts_characters: 3 } }
const unavailable = () => new ServiceError('unavailable', 'Try again.')

/** Resolves when `check` holds; the test's own time limit ends a wait for what never comes. */
const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await check())) await delay(2)
}

describe('the reserver', () => {
  let ttl: TtlStore
  let workspaceId: string
  const closers: (() => Promise<void>)[] = []

  beforeEach(() => {
    ttl = createMemoryTtlStore()
    workspaceId = randomUUID()
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    await ttl.close()
  })

  const open = (availableNano: bigint, options: FakeCreditOptions & { stopWithinMs?: number } = {}) => {
    const { stopWithinMs = 100, ...fakeOptions } = options
    const credit = createFakeCredit(ttl, availableNano, fakeOptions)
    const logger = createLogger({ level: 'silent' })
    const reserver = createCreditReserver({ ttl, credit, logger, stopWithinMs })
    closers.push(() => reserver.stop())
    const reserve = (amountNano: bigint) => reserver.reserve({ workspaceId, amountNano })
    const reserved = async () => (await credit.counter.read(workspaceId))?.reservedNano
    return { credit, reserver, reserve, reserved }
  }

  test('asks for a lease only when the counter has not enough', async () => {
    const { credit, reserve } = open(100n, { blockNano: 50n })
    for (let n = 0; n < 5; n++) await reserve(10n)
    expect(credit.leases).toEqual(['0.00000001'])
    for (let n = 0; n < 5; n++) await reserve(10n)
    expect(credit.leases).toEqual(['0.00000001', '0.00000001'])
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'insufficient_credit' })
  })

  test('those who are short in the same turn share one call for all they need', async () => {
    const { credit, reserve } = open(100n)
    await Promise.all([reserve(1n), reserve(2n), reserve(3n)])
    expect(credit.leases).toEqual(['0.000000006'])
  })

  test('those who come while a call runs wait for it, and look again before they ask themselves', async () => {
    const { credit, reserve } = open(100n)
    let letGo = () => {}
    credit.gate = new Promise((resolve) => {
      letGo = resolve
    })
    const first = reserve(5n)
    await until(() => credit.leases.length === 1)
    const second = reserve(7n)
    await delay(1)
    letGo()
    await Promise.all([first, second])
    expect(credit.leases).toEqual(['0.000000005', '0.000000007'])
  })

  test('where there is not enough for all, some get theirs and the others insufficient_credit', async () => {
    const { reserve, reserved } = open(7n)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => reserve(2n)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(refused).toEqual(Array(27).fill('insufficient_credit'))
    expect(await reserved()).toBe(6n)
  })

  test('gives up with unavailable when a lease never leads to a hold, or cannot be had', async () => {
    const { credit, reserve } = open(5n)
    credit.failures.push(unavailable())
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'unavailable' })
    credit.failures.push(new ServiceError('upstream_timeout', 'Slow.'))
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'unavailable' })
    credit.generousInVain = true
    await expect(reserve(6n)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a hold ends by what is called first, and only once', async () => {
    const { credit, reserve, reserved } = open(100n)
    const [settled, released] = [await reserve(10n), await reserve(10n)]
    settled.settle(4n, usage)
    settled.release()
    settled.settle(9n, usage)
    released.release()
    released.settle(9n, usage)
    await until(async () => (await reserved()) === 0n)
    expect(credit.told).toEqual([
      { hold: settled.reservation, charge: '0.000000004', usage },
      { hold: released.reservation, charge: '0.00', usage: null },
    ])
  })

  test('the first end after a pause is told at once, those that follow it together, and all of them at the stop', async () => {
    const { credit, reserve, reserver } = open(100n)
    const reservations = await Promise.all(Array.from({ length: 6 }, () => reserve(10n)))
    const [first, second, third, ...others] = reservations
    first!.release()
    await new Promise(setImmediate)
    expect(credit.told).toHaveLength(1)
    second!.release()
    third!.release()
    await until(() => credit.told.length > 1)
    expect(credit.told).toHaveLength(3)
    for (const { release } of others) release()
    await new Promise(setImmediate)
    expect(credit.told).toHaveLength(3)
    await reserver.stop()
    expect(credit.told.map(({ hold: reservation }) => reservation.id)).toEqual(
      reservations.map(({ reservation }) => reservation.id),
    )
    expect(credit.requests).toEqual([1, 2, 3])
  })

  test('many ends wait for nothing', async () => {
    const { credit, reserve } = open(100n)
    const reservations = await Promise.all(Array.from({ length: 40 }, () => reserve(1n)))
    for (const { release } of reservations) release()
    await new Promise(setImmediate)
    expect(credit.told.length).toBeGreaterThanOrEqual(33)
  })

  test('refuses to charge more than is held, and the hold stays', async () => {
    const { reserve, reserved } = open(100n)
    const reservation = await reserve(10n)
    expect(() => reservation.settle(11n, usage)).toThrow(RangeError)
    expect(() => reservation.settle(-1n, usage)).toThrow(RangeError)
    expect(await reserved()).toBe(10n)
    reservation.settle(10n, usage)
    await until(async () => (await reserved()) === 0n)
  })

  test('tells the ledger again, in the same words, until it answers', async () => {
    const { credit, reserve, reserved } = open(100n)
    const reservation = await reserve(10n)
    credit.failures.push(unavailable(), new ServiceError('upstream_timeout', 'Slow.'))
    reservation.settle(4n, usage)
    await until(async () => (await reserved()) === 0n)
    expect(credit.told).toHaveLength(3)
    expect(new Set(credit.told.map((ending) => JSON.stringify(ending))).size).toBe(1)
  })

  test('does not tell again what the ledger refused for good', async () => {
    const { credit, reserve, reserver } = open(100n)
    const reservation = await reserve(10n)
    credit.failures.push(new ServiceError('invalid_request', 'No such hold.'))
    reservation.release()
    await reserver.stop()
    expect(credit.told).toHaveLength(1)
  })

  test('tells the others where one is refused', async () => {
    const { credit, reserve, reserver, reserved } = open(100n)
    const reservations = await Promise.all(Array.from({ length: 4 }, () => reserve(10n)))
    const [first, ...others] = reservations
    first!.release()
    await until(() => credit.told.length > 0)
    // All three at once, then the first of them.
    credit.failures.push(...Array.from({ length: 2 }, () => new ServiceError('invalid_request', 'No such hold.')))
    for (const { release } of others) release()
    await reserver.stop()
    expect(credit.requests).toEqual([1, 3, 1, 1, 1])
    expect(await reserved()).toBe(10n)
  })

  test('a hold lives as long as its work, and while the ledger is being told of its end', async () => {
    // A life so long that a busy machine, which wakes timers late, does not end it.
    const { credit, reserve, reserver } = open(100n, { reservationLifeMs: 1_500, stopWithinMs: 400 })
    const { reservation, settle } = await reserve(10n)
    const expired = async () =>
      (await credit.counter.listReservations(workspaceId, reservation.lease_id, 'expired'))?.reservations ?? []
    const livesFor = async (ms: number) => {
      for (const endMs = performance.now() + ms; performance.now() < endMs; await delay(5)) {
        expect(await expired()).toEqual([])
      }
    }
    await livesFor(2_000)
    credit.failures.push(...Array.from({ length: 1_000 }, unavailable))
    settle(10n, usage)
    await livesFor(2_000)
    // Whoever holds it has ended now without being able to tell.
    await reserver.stop()
    await until(async () => (await expired()).length === 1)
  })

  test('stop delivers what has ended and is not told yet', async () => {
    const { credit, reserve, reserver, reserved } = open(100n, { stopWithinMs: 10_000 })
    const reservations = await Promise.all(Array.from({ length: 5 }, () => reserve(10n)))
    credit.failures.push(...Array.from({ length: 7 }, unavailable))
    for (const reservation of reservations) reservation.settle(10n, usage)
    await reserver.stop()
    expect(await reserved()).toBe(0n)
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
