import { randomUUID } from 'node:crypto'
import type { Client } from '@parlance/bus'
import { createCreditCounter, parseCredit } from '@parlance/clients/credit'
import { type creditContract, type ReservationEnd, ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'

type Credit = Client<typeof creditContract>

export interface FakeCreditOptions {
  reservationLifeMs?: number
  /** The minimum of a lease. */
  blockNano?: bigint
}

/** The ledger of one workspace, with the methods that a reserver calls. */
export const createFakeCredit = (
  ttl: TtlStore,
  availableNano: bigint,
  { reservationLifeMs = 60_000, blockNano = 0n }: FakeCreditOptions,
) => {
  const counter = createCreditCounter(ttl)
  const leaseId = randomUUID()
  let leasedNano = 0n
  const fake = {
    counter,
    /** The amount of each call of `lease`. */
    leases: [] as string[],
    /** The reported ends, in order, failed attempts included. */
    reported: [] as ReservationEnd[],
    /** The number of ends in each call of `resolve`. */
    requests: [] as number[],
    /** Thrown by the next calls, one each. */
    failures: [] as ServiceError[],
    /** Each call of `lease` waits for it. */
    gate: Promise.resolve(),
    /** Every call of `lease` succeeds, even without credit. */
    leasesNothing: false,

    lease: (async ({ workspace_id, amount }) => {
      fake.leases.push(amount)
      await fake.gate
      const failure = fake.failures.shift()
      if (failure !== undefined) throw failure
      if (leasedNano === 0n) await counter.open(workspace_id, leaseId, reservationLifeMs)
      const reading = await counter.read(workspace_id)
      const needNano = parseCredit(amount) - (reading?.freeNano ?? 0n)
      const wantedNano = needNano > blockNano ? needNano : blockNano
      const takenNano = wantedNano < availableNano - leasedNano ? wantedNano : availableNano - leasedNano
      if (takenNano > 0n) leasedNano += takenNano
      await counter.fund(workspace_id, leaseId, leasedNano, 60_000)
      if (takenNano < needNano && !fake.leasesNothing) throw new ServiceError('insufficient_credit', 'No more.')
      return {}
    }) as Credit['lease'],

    resolve: (async ({ endings }, options) => {
      fake.reported.push(...endings)
      fake.requests.push(endings.length)
      options?.signal?.throwIfAborted()
      const failure = fake.failures.shift()
      if (failure !== undefined) throw failure
      for (const { hold: reservation, charge } of endings) {
        await counter.resolve(reservation.workspace_id, reservation.lease_id, reservation.id, parseCredit(charge))
      }
      const resolutionOf = ({ usage }: ReservationEnd) => (usage === null ? 'released' : 'settled')
      return { outcomes: endings.map((ending) => ({ resolution: resolutionOf(ending), charged: ending.charge })) }
    }) as Credit['resolve'],
  }
  return fake
}
