import { randomUUID } from 'node:crypto'
import { createCreditCounter } from '@parlance/clients/credit'
import { ServiceError } from '@parlance/contracts'
import { createMemoryTtlStore } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'
import type { ReservationToEnd } from '../../src/credit/end-reservations.js'
import { createReservationResolver } from '../../src/credit/reservation-resolver.js'

const endingOf = (id: string): ReservationToEnd => ({
  workspaceId: randomUUID(),
  leaseId: randomUUID(),
  id,
  amountNano: 5n,
  chargeNano: 3n,
  resolution: 'settled',
  usage: null,
})
const ended = ({ workspaceId, leaseId, id, chargeNano, resolution }: ReservationToEnd) => ({
  workspaceId,
  leaseId,
  id,
  resolution,
  paidByLeaseNano: chargeNano,
  paidLateNano: 0n,
  uncoveredNano: 0n,
})

describe('reservations that end together', () => {
  const ttl = createMemoryTtlStore()
  afterAll(() => ttl.close())

  const openResolver = (failing: (id: string) => unknown, intervalMs = 0) => {
    const batches: string[][] = []
    const resolve = createReservationResolver({
      counter: createCreditCounter(ttl),
      logger: createLogger({ level: 'silent' }),
      intervalMs,
      async endReservations(endings) {
        batches.push(endings.map(({ id }) => id))
        const failure = endings.map(({ id }) => failing(id)).find(Boolean)
        if (failure) throw failure
        return endings.map(ended)
      },
    })
    return { batches, resolve: (id: string) => resolve(endingOf(id)) }
  }
  const open = (failing: (id: string) => unknown) => {
    const { batches, resolve } = openResolver(failing)
    return { batches, outcomes: Promise.allSettled(['a', 'b', 'c'].map(resolve)) }
  }

  test('end in one transaction', async () => {
    const { batches, outcomes } = open(() => undefined)
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'))
    expect(batches).toEqual([['a', 'b', 'c']])
  })

  test('end although one of them cannot end', async () => {
    const { outcomes } = open((id) => id === 'b' && new Error('this one is invalid'))
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('are refused after one query while there is no database, not after one query each', async () => {
    const { batches, outcomes } = open(() => new ServiceError('unavailable', 'Try again.'))
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(batches).toEqual([['a', 'b', 'c']])
  })

  test('wait for the end of the same interval, and the first after a pause does not wait', async () => {
    const { batches, resolve } = openResolver(() => undefined, 50)
    await resolve('first')
    await Promise.all([resolve('a'), new Promise(setImmediate).then(() => resolve('b'))])
    expect(batches).toEqual([['first'], ['a', 'b']])
  })

  test('do not wait for the end of the interval when they are many', async () => {
    const { batches, resolve } = openResolver(() => undefined, 600_000)
    await resolve('first')
    const ids = Array.from({ length: 32 }, (_, n) => String(n))
    await Promise.all(ids.map(resolve))
    expect(batches).toEqual([['first'], ids])
  })
})
