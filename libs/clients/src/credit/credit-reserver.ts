/**
 * Reserves credit for work that runs in this process, and sees each hold to its end.
 *
 * - A hold is taken in the counter. The bus is asked only when the counter has not enough, or is not there.
 * - A hold ends once: by what is called first, `settle` or `release`. It is renewed until the ledger has answered that.
 * - What the ledger was told is told again until it answers: it knows holds by their ids, so nothing is charged twice.
 * - A hold of a process that ends without a word runs out, and all of it returns.
 */
import { randomUUID } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import { type creditContract, type Hold, ServiceError, type Usage } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import { createCreditCounter } from './counter/credit-counter.js'
import { parseCredit, printCredit } from './credit-amount.js'
import { mostReservedNano } from './credit-limits.js'
import { createHoldDelivery } from './hold-delivery.js'
import { createLeaseCalls } from './lease-calls.js'

export interface CreditReservation {
  workspaceId: string
  amountNano: bigint
  context?: CallContext
}

export interface CreditHold {
  readonly hold: Hold
  /** Charges `chargeNano`, which is at most the amount, and returns the rest. Throws `RangeError` for more than that. */
  settle(chargeNano: bigint, usage: Usage): void
  /** Returns all of it. */
  release(): void
}

export interface CreditReserver {
  /** Rejects with `insufficient_credit`, or with `unavailable` while the store or the ledger cannot be reached. */
  reserve(reservation: CreditReservation): Promise<CreditHold>
  /** Delivers what has ended and is not told yet, within the time that there is. Holds that have not ended run out. */
  stop(): Promise<void>
}

export interface CreditReserverOptions {
  ttl: TtlStore
  credit: Pick<Client<typeof creditContract>, 'lease' | 'resolve'>
  logger: Logger
  /** How long `stop` may take, in ms. */
  stopWithinMs?: number
}

/** So often may others take what was leased for all who waited. */
const mostAttempts = 10

export const createCreditReserver = (options: CreditReserverOptions): CreditReserver => {
  const { ttl, credit, logger, stopWithinMs = 5_000 } = options
  const counter = createCreditCounter(ttl)
  const leases = createLeaseCalls(credit)
  const delivery = createHoldDelivery(credit, logger)
  const renewals = new Set<NodeJS.Timeout>()
  let stopped = false

  const keepAlive = ({ workspace_id, lease_id, id }: Hold, lifeMs: number): (() => void) => {
    const timer = setInterval(() => {
      // What is not there any more was ended by the ledger, or is lost with its counter: the ledger will say.
      const end = (there: boolean) => !there && stop()
      counter.renew(workspace_id, lease_id, id).then(end, () => undefined)
    }, lifeMs / 3)
    const stop = () => {
      clearInterval(timer)
      renewals.delete(timer)
    }
    timer.unref()
    renewals.add(timer)
    return stop
  }

  const begin = (hold: Hold, lifeMs: number): CreditHold => {
    const stopRenewing = keepAlive(hold, lifeMs)
    const amountNano = parseCredit(hold.amount)
    let ended = false
    const end = (chargeNano: bigint, usage: Usage | null) => {
      if (ended) return
      ended = true
      void delivery.deliver({ hold, charge: printCredit(chargeNano), usage }).finally(stopRenewing)
    }
    return {
      hold,
      settle(chargeNano, usage) {
        if (chargeNano < 0n || chargeNano > amountNano) throw new RangeError('a charge is at most what is held')
        end(chargeNano, usage)
      },
      release: () => end(0n, null),
    }
  }

  return {
    async reserve({ workspaceId, amountNano, context }) {
      if (amountNano < 0n) throw new RangeError('an amount to reserve is not negative')
      if (amountNano > mostReservedNano) {
        throw new ServiceError('insufficient_credit', 'This is more credit than can be reserved at once.')
      }
      const holdId = randomUUID()
      let nothingMore = false
      for (let attempt = 0; attempt < mostAttempts && !stopped; attempt++) {
        const reserved = await counter.reserve(workspaceId, holdId, amountNano)
        if (typeof reserved === 'object') {
          const amount = printCredit(amountNano)
          return begin({ id: holdId, workspace_id: workspaceId, lease_id: reserved.leaseId, amount }, reserved.lifeMs)
        }
        if (nothingMore) throw new ServiceError('insufficient_credit', 'There is not enough credit left for this.')
        nothingMore = (await leases.ask(workspaceId, amountNano, context)) === 'insufficient'
      }
      throw new ServiceError('unavailable', 'Credit cannot be reserved now. Try again.')
    },
    async stop() {
      stopped = true
      await delivery.finish(stopWithinMs)
      for (const timer of renewals) clearInterval(timer)
    },
  }
}
