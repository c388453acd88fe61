/**
 * Returns credit that nobody will come back for: of holds that ran out, of leases that lost their counter, of leases that
 * nobody uses. Any number of processes may do so at once; they share the leases among them by claiming some at a time.
 */
import type { CounterReading, CreditCounter } from '@parlance/clients/credit'
import type { Database } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import { closeFenced, closeIdle, fenceLost } from './close-leases.js'
import type { HoldResolver } from './hold-resolver.js'
import { claim, findDue, type LeaseName } from './lease-repository.js'
import type { LeaseTerms } from './lease-terms.js'

export interface ReaperOptions {
  database: Database
  counter: CreditCounter
  resolveHold: HoldResolver
  terms: LeaseTerms
  logger: Logger
}

const mostAtOnce = 100
const intervalMs = { least: 100, most: 5_000 }

export const startReaper = ({ database, counter, resolveHold, terms, logger }: ReaperOptions) => {
  const shortestMs = Math.min(terms.holdLifeMs, terms.termMs)
  const everyMs = Math.min(Math.max(shortestMs / 4, intervalMs.least), intervalMs.most)

  const endExpiredHolds = async ({ workspaceId, id: leaseId }: LeaseName): Promise<void> => {
    const expired = await counter.listHolds(workspaceId, leaseId, 'expired')
    const ending = { workspaceId, leaseId, chargeNano: 0n, resolution: 'expired', usage: null } as const
    await Promise.all((expired?.holds ?? []).map((hold) => resolveHold({ ...ending, ...hold })))
  }

  const lookAfter = async (leases: readonly LeaseName[]): Promise<void> => {
    const readings = await Promise.all(leases.map(({ workspaceId }) => counter.read(workspaceId)))
    const having = (is: (reading: CounterReading) => boolean) =>
      leases.filter(({ id }, index) => readings[index]?.leaseId === id && is(readings[index]))
    const lost = leases.filter(({ id }, index) => readings[index]?.leaseId !== id)
    if (lost.length > 0) {
      const count = await fenceLost(database, lost, terms.graceMs)
      if (count > 0) logger.warn({ count }, 'leases of credit had lost their counters')
    }
    await Promise.all(having(({ holds }) => holds > 0).map(endExpiredHolds))
    const idle = having(({ holds, inTerm }) => holds === 0 && !inTerm)
    if (idle.length > 0) await closeIdle(database, counter, idle)
  }

  const sweep = async (): Promise<void> => {
    for (let more = true; more && !stopped; ) {
      const claimed = await database.acrossWorkspaces((transaction) => claim(transaction, everyMs, mostAtOnce))
      await lookAfter(claimed)
      more = claimed.length === mostAtOnce
    }
    for (let more = true; more && !stopped; ) {
      const due = await database.acrossWorkspaces((transaction) => findDue(transaction, mostAtOnce))
      if (due.length > 0) await closeFenced(database, due)
      more = due.length === mostAtOnce
    }
  }

  let stopped = false
  let timer: NodeJS.Timeout
  let sweeping = Promise.resolve()
  const sweepLater = () => {
    timer = setTimeout(() => {
      sweeping = sweep()
        // A store or a database that cannot be reached is told by who lost it; what was claimed is claimed again later.
        .catch((err: unknown) => logger.warn({ err }, 'credit that nobody uses was not returned now'))
        .finally(() => !stopped && sweepLater())
    }, everyMs)
    timer.unref()
  }
  sweepLater()

  return {
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await sweeping
    },
  }
}
