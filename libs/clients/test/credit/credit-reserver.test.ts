import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createCreditReserver } from '@parlance/clients/credit'
import { ServiceError, type Usage } from '@parlance/contracts'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { createFakeCredit, type FakeCreditOptions } from './fake-credit.js'

const usage: Usage = { kind: 'tts', key_id: null, agent_id: null, quantities: { tts_characters: 3 } }
const unavailable = () => new ServiceError('unavailable', 'Try again.')

/** Resolves when `check` returns true. The time limit of the test ends a wait that never succeeds. */
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
    const { stopWithinMs = 60_000, ...fakeOptions } = options
    const credit = createFakeCredit(ttl, availableNano, fakeOptions)
    const logger = createLogger({ level: 'silent' })
    const reserver = createCreditReserver({ ttl, credit, logger, stopWithinMs })
    closers.push(() => reserver.stop())
    const reserve = (amountNano: bigint) => reserver.reserve({ workspaceId, amountNano })
    const reserved = async () => (await credit.counter.read(workspaceId))?.reservedNano
    return { credit, reserver, reserve, reserved }
  }

  test('requests a lease only when the counter does not have enough credit', async () => {
    const { credit, reserve } = open(100n, { blockNano: 50n })
    for (let n = 0; n < 5; n++) await reserve(10n)
    expect(credit.leases).toEqual(['0.00000001'])
    for (let n = 0; n < 5; n++) await reserve(10n)
    expect(credit.leases).toEqual(['0.00000001', '0.00000001'])
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'insufficient_credit' })
  })

  test('callers of the same tick share one lease request for the sum', async () => {
    const { credit, reserve } = open(100n)
    await Promise.all([reserve(1n), reserve(2n), reserve(3n)])
    expect(credit.leases).toEqual(['0.000000006'])
  })

  test('callers that arrive during a lease request wait for it, and read the counter again before they request another', async () => {
    const { credit, reserve } = open(100n)
    let grantLease = () => {}
    credit.gate = new Promise((resolve) => {
      grantLease = resolve
    })
    const first = reserve(5n)
    await until(() => credit.leases.length === 1)
    const second = reserve(7n)
    await delay(1)
    grantLease()
    await Promise.all([first, second])
    expect(credit.leases).toEqual(['0.000000005', '0.000000007'])
  })

  test('when there is not enough credit for all, some reservations succeed and the others get insufficient_credit', async () => {
    const { reserve, reserved } = open(7n)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => reserve(2n)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(refused).toEqual(Array(27).fill('insufficient_credit'))
    expect(await reserved()).toBe(6n)
  })

  test('gives up with unavailable when a lease never leads to a reservation, or is not granted', async () => {
    const { credit, reserve } = open(5n)
    credit.failures.push(unavailable())
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'unavailable' })
    credit.failures.push(new ServiceError('upstream_timeout', 'Slow.'))
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'unavailable' })
    credit.leasesNothing = true
    await expect(reserve(6n)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a reservation ends by the first call, and only once', async () => {
    const { credit, reserve, reserved } = open(100n)
    const [settled, released] = [await reserve(10n), await reserve(10n)]
    settled.settle(4n, usage)
    settled.release()
    settled.settle(9n, usage)
    released.release()
    released.settle(9n, usage)
    await until(async () => (await reserved()) === 0n)
    expect(credit.reported).toEqual([
      { hold: settled.reservation, charge: '0.000000004', usage },
      { hold: released.reservation, charge: '0.00', usage: null },
    ])
  })

  test('the first end after a pause is reported at once, those that follow it together, and all of them at the stop', async () => {
    vi.useFakeTimers()
    try {
      const { credit, reserve, reserver } = open(100n)
      const reservations = await Promise.all(Array.from({ length: 6 }, () => reserve(10n)))
      const [first, second, third, ...others] = reservations
      first!.release()
      await new Promise(setImmediate)
      expect(credit.reported).toHaveLength(1)
      second!.release()
      third!.release()
      await vi.advanceTimersByTimeAsync(100)
      expect(credit.reported).toHaveLength(3)
      for (const { release } of others) release()
      await new Promise(setImmediate)
      expect(credit.reported).toHaveLength(3)
      await reserver.stop()
      expect(credit.reported.map(({ hold: reservation }) => reservation.id)).toEqual(
        reservations.map(({ reservation }) => reservation.id),
      )
      expect(credit.requests).toEqual([1, 2, 3])
    } finally {
      vi.useRealTimers()
    }
  })

  test('many ends are reported at once', async () => {
    const { credit, reserve } = open(100n)
    const reservations = await Promise.all(Array.from({ length: 40 }, () => reserve(1n)))
    for (const { release } of reservations) release()
    await new Promise(setImmediate)
    expect(credit.reported.length).toBeGreaterThanOrEqual(33)
  })

  test('refuses to charge more than the reserved amount, and keeps the reservation', async () => {
    const { reserve, reserved } = open(100n)
    const reservation = await reserve(10n)
    expect(() => reservation.settle(11n, usage)).toThrow(RangeError)
    expect(() => reservation.settle(-1n, usage)).toThrow(RangeError)
    expect(await reserved()).toBe(10n)
    reservation.settle(10n, usage)
    await until(async () => (await reserved()) === 0n)
  })

  test('repeats the same report until the ledger answers', async () => {
    const { credit, reserve, reserved } = open(100n)
    const reservation = await reserve(10n)
    credit.failures.push(unavailable(), new ServiceError('upstream_timeout', 'Slow.'))
    reservation.settle(4n, usage)
    await until(async () => (await reserved()) === 0n)
    expect(credit.reported).toHaveLength(3)
    expect(new Set(credit.reported.map((ending) => JSON.stringify(ending))).size).toBe(1)
  })

  test('does not repeat a report that the ledger refused permanently', async () => {
    const { credit, reserve, reserver } = open(100n)
    const reservation = await reserve(10n)
    credit.failures.push(new ServiceError('invalid_request', 'No such reservation.'))
    reservation.release()
    await reserver.stop()
    expect(credit.reported).toHaveLength(1)
  })

  test('reports the other ends when one is refused', async () => {
    const { credit, reserve, reserver, reserved } = open(100n)
    const reservations = await Promise.all(Array.from({ length: 4 }, () => reserve(10n)))
    const [first, ...others] = reservations
    first!.release()
    await until(() => credit.reported.length > 0)
    // All three at once, then the first of them.
    credit.failures.push(
      ...Array.from({ length: 2 }, () => new ServiceError('invalid_request', 'No such reservation.')),
    )
    for (const { release } of others) release()
    await reserver.stop()
    expect(credit.requests).toEqual([1, 3, 1, 1, 1])
    expect(await reserved()).toBe(10n)
  })

  test('a reservation lives as long as its work, and until the ledger has confirmed its end', async () => {
    vi.useFakeTimers()
    try {
      const { credit, reserve, reserver } = open(100n, { reservationLifeMs: 1_500, stopWithinMs: 400 })
      const { reservation, settle } = await reserve(10n)
      const expired = async () =>
        (await credit.counter.listReservations(workspaceId, reservation.lease_id, 'expired'))?.reservations ?? []
      const livesFor = async (ms: number) => {
        for (let passedMs = 0; passedMs < ms; passedMs += 100) {
          await vi.advanceTimersByTimeAsync(100)
          expect(await expired()).toEqual([])
        }
      }
      await livesFor(4_000)
      credit.failures.push(...Array.from({ length: 1_000 }, unavailable))
      settle(10n, usage)
      await livesFor(4_000)
      // Its process has ended without reaching the ledger.
      const stopped = reserver.stop()
      await vi.advanceTimersByTimeAsync(2_000)
      await stopped
      expect(await expired()).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('stop reports the ends that are not confirmed yet', async () => {
    const { credit, reserve, reserver, reserved } = open(100n)
    const reservations = await Promise.all(Array.from({ length: 5 }, () => reserve(10n)))
    credit.failures.push(...Array.from({ length: 7 }, unavailable))
    for (const reservation of reservations) reservation.settle(10n, usage)
    await reserver.stop()
    expect(await reserved()).toBe(0n)
    await expect(reserve(1n)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
