import { randomUUID } from 'node:crypto'
import type { Client } from '@parlance/bus'
import { type creditContract, ServiceError } from '@parlance/contracts'
import { createCreditCounter, parseCredit } from '@parlance/credit'
import type { TtlStore } from '@parlance/store'

type Credit = Client<typeof creditContract>
type Ending = Parameters<Credit['resolve']>[0]

export interface FakeCreditOptions {
  holdLifeMs?: number
  /** The least that is leased at a time. */
  blockNano?: bigint
}

/** The ledger's side of one workspace, as far as a reserver meets it. */
export const createFakeCredit = (
  ttl: TtlStore,
  availableNano: bigint,
  { holdLifeMs = 60_000, blockNano = 0n }: FakeCreditOptions,
) => {
  const counter = createCreditCounter(ttl)
  const leaseId = randomUUID()
  let leasedNano = 0n
  const fake = {
    counter,
    /** What each call of `lease` asked for. */
    leases: [] as string[],
    /** What was told of holds, in order, tries that failed included. */
    told: [] as Ending[],
    /** Thrown by the next calls, one each. */
    failures: [] as ServiceError[],
    /** Each call of `lease` waits for it. */
    gate: Promise.resolve(),
    /** Every call of `lease` succeeds, whatever there is. */
    generousInVain: false,

    lease: (async ({ workspace_id, amount }) => {
      fake.leases.push(amount)
      await fake.gate
      const failure = fake.failures.shift()
      if (failure !== undefined) throw failure
      if (leasedNano === 0n) await counter.open(workspace_id, leaseId, holdLifeMs)
      const reading = await counter.read(workspace_id)
      const needNano = parseCredit(amount) - (reading?.freeNano ?? 0n)
      const wantedNano = needNano > blockNano ? needNano : blockNano
      const takenNano = wantedNano < availableNano - leasedNano ? wantedNano : availableNano - leasedNano
      if (takenNano > 0n) leasedNano += takenNano
      await counter.fund(workspace_id, leaseId, leasedNano, 60_000)
      if (takenNano < needNano && !fake.generousInVain) throw new ServiceError('insufficient_credit', 'No more.')
      return {}
    }) as Credit['lease'],

    resolve: (async (ending, options) => {
      fake.told.push(ending)
      options?.signal?.throwIfAborted()
      const failure = fake.failures.shift()
      if (failure !== undefined) throw failure
      const { workspace_id, lease_id, id } = ending.hold
      await counter.resolve(workspace_id, lease_id, id, parseCredit(ending.charge))
      return { resolution: ending.usage === null ? 'released' : 'settled', charged: ending.charge } as const
    }) as Credit['resolve'],
  }
  return fake
}
