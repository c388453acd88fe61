import type { TtlStore } from '@parlance/store'
import { renewScript, reserveScript, resolveScript } from './hold-scripts.js'
import { dropScript, fundScript, listHoldsScript, openScript, readScript } from './lease-scripts.js'

export interface CounterReading {
  readonly leaseId: string
  readonly leasedNano: bigint
  readonly settledNano: bigint
  readonly heldNano: bigint
  /** How many, those of nothing included. */
  readonly holds: number
  /** What can still be reserved, once its term lasts. */
  readonly freeNano: bigint
  readonly inTerm: boolean
}

export interface CountedHolds {
  /** What the counter takes for their sum. */
  readonly heldNano: bigint
  readonly holds: readonly { readonly id: string; readonly amountNano: bigint }[]
}

/**
 * The counters of all workspaces, in the store as it is now: what was written under another reign of it is not there.
 * Every method rejects with `ServiceError('unavailable')` while the store cannot be reached.
 */
export interface CreditCounter {
  /** An empty one, in place of whatever was there; `holdLifeMs` is how long its holds live that nobody renews. */
  open(workspaceId: string, leaseId: string, holdLifeMs: number): Promise<void>
  /** Lets it give `leasedNano` in all, if that is more than before, for a term from now on. False: not there. */
  fund(workspaceId: string, leaseId: string, leasedNano: bigint, termMs: number): Promise<boolean>
  read(workspaceId: string): Promise<CounterReading | undefined>
  listHolds(workspaceId: string, leaseId: string, which: 'all' | 'expired'): Promise<CountedHolds | undefined>
  /** Removes it if its term has passed and nothing is held; true when it did. */
  drop(workspaceId: string, leaseId: string): Promise<boolean>

  /** The lease that the hold is of and how long it lives unless renewed, or why there is none. */
  reserve(
    workspaceId: string,
    holdId: string,
    amountNano: bigint,
  ): Promise<{ leaseId: string; lifeMs: number } | 'short' | 'absent'>
  /** False: not there. */
  renew(workspaceId: string, leaseId: string, holdId: string): Promise<boolean>
  /** Ends a hold of which the lease paid `paidNano`. False: not there, or ended before. */
  resolve(workspaceId: string, leaseId: string, holdId: string, paidNano: bigint): Promise<boolean>
}

export const createCreditCounter = (ttl: TtlStore): CreditCounter => {
  const keysOf = (workspaceId: string) => [`credit:{${workspaceId}}`]

  return {
    async open(workspaceId, leaseId, holdLifeMs) {
      await ttl.run(openScript, keysOf(workspaceId), [leaseId, `${Math.ceil(holdLifeMs)}`])
    },
    async fund(workspaceId, leaseId, leasedNano, termMs) {
      const args = [leaseId, `${leasedNano}`, `${Math.ceil(termMs)}`]
      return (await ttl.run(fundScript, keysOf(workspaceId), args)) === 1
    },
    async read(workspaceId) {
      const found = await ttl.run(readScript, keysOf(workspaceId))
      if (found === null) return undefined
      const [leaseId, leased, settled, held, holds, inTerm] = found
      const [leasedNano, settledNano, heldNano] = [BigInt(leased), BigInt(settled), BigInt(held)]
      const freeNano = leasedNano - settledNano - heldNano
      return { leaseId, leasedNano, settledNano, heldNano, holds, freeNano, inTerm: inTerm === 1 }
    },
    async listHolds(workspaceId, leaseId, which) {
      const found = await ttl.run(listHoldsScript, keysOf(workspaceId), [leaseId, which])
      if (found === null) return undefined
      const [held = '', ...pairs] = found
      const holds: { id: string; amountNano: bigint }[] = []
      for (let at = 0; at < pairs.length; at += 2) holds.push({ id: pairs[at]!, amountNano: BigInt(pairs[at + 1]!) })
      return { heldNano: BigInt(held), holds }
    },
    drop: async (workspaceId, leaseId) => (await ttl.run(dropScript, keysOf(workspaceId), [leaseId])) === 1,

    async reserve(workspaceId, holdId, amountNano) {
      const answer = await ttl.run(reserveScript, keysOf(workspaceId), [holdId, `${amountNano}`])
      return answer[0] === 'held' ? { leaseId: answer[1], lifeMs: Number(answer[2]) } : answer[0]
    },
    renew: async (workspaceId, leaseId, holdId) =>
      (await ttl.run(renewScript, keysOf(workspaceId), [leaseId, holdId])) === 1,
    resolve: async (workspaceId, leaseId, holdId, paidNano) =>
      (await ttl.run(resolveScript, keysOf(workspaceId), [leaseId, holdId, `${paidNano}`])) === 1,
  }
}
