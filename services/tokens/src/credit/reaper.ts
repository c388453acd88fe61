/**
 * Returns credit of reservations that expired, of leases that lost their counter and of leases that are not used. Any number of
 * processes may run it at the same time; they share the leases by claiming some at a time.
 */
import type { CounterReading, CreditCounter } from '@parlance/clients/credit'
import { type Database, type Queryable, startSweep } from '@parlance/store'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { LeaseTerms } from './credit-settings.js'
import { claim, fence, findDue, findLeases, type Lease, type LeaseName, markClosed } from './lease-repository.js'
import { lockAccounts, transfer } from './ledger.js'
import type { ReservationResolver } from './reservation-resolver.js'

interface ReaperOptions {
  database: Database
  counter: CreditCounter
  resolveReservation: ReservationResolver
  terms: LeaseTerms
  logger: Logger
  metrics: Pick<Metrics, 'creditExpired'>
}

const maxLeasesPerSweep = 100
const minIntervalMs = 100
const maxIntervalMs = 5_000

export const startReaper = ({ database, counter, resolveReservation, terms, logger, metrics }: ReaperOptions) => {
  const shortestMs = Math.min(terms.reservationLifeMs, terms.termMs)
  const everyMs = Math.min(Math.max(shortestMs / 4, minIntervalMs), maxIntervalMs)

  const endExpiredReservations = async ({ workspaceId, id: leaseId }: LeaseName): Promise<void> => {
    const expired = await counter.listReservations(workspaceId, leaseId, 'expired')
    const ending = { workspaceId, leaseId, chargeNano: 0n, resolution: 'expired', usage: null } as const
    await Promise.all(
      (expired?.reservations ?? []).map(async (reservation) => {
        await resolveReservation({ ...ending, ...reservation })
        metrics.creditExpired()
      }),
    )
  }

  const reconcileLeases = async (leases: readonly LeaseName[]): Promise<void> => {
    const readings = await Promise.all(leases.map(({ workspaceId }) => counter.read(workspaceId)))
    const having = (is: (reading: CounterReading) => boolean) =>
      leases.filter(({ id }, index) => readings[index]?.leaseId === id && is(readings[index]))
    const lost = leases.filter(({ id }, index) => readings[index]?.leaseId !== id)
    if (lost.length > 0) {
      const count = await fenceLost(database, lost, terms.graceMs)
      if (count > 0) logger.warn({ count }, 'Credit leases had lost their counters')
    }
    await Promise.all(having(({ reservations }) => reservations > 0).map(endExpiredReservations))
    const idle = having(({ reservations, inTerm }) => reservations === 0 && !inTerm)
    if (idle.length > 0) await closeIdle(database, counter, idle)
  }

  const sweep = async (signal: AbortSignal): Promise<void> => {
    for (let more = true; more && !signal.aborted; ) {
      const claimed = await database.acrossWorkspaces((transaction) => claim(transaction, everyMs, maxLeasesPerSweep))
      await reconcileLeases(claimed)
      more = claimed.length === maxLeasesPerSweep
    }
    for (let more = true; more && !signal.aborted; ) {
      const due = await database.acrossWorkspaces((transaction) => findDue(transaction, maxLeasesPerSweep))
      if (due.length > 0) await closeFenced(database, due)
      more = due.length === maxLeasesPerSweep
    }
  }

  return startSweep(sweep, {
    everyMs,
    // The leases are claimed again later.
    onFailed: (err) => logger.warn({ err }, 'Unused credit could not be returned'),
  })
}

const lockLeases = async (transaction: Queryable, leases: readonly LeaseName[]): Promise<Lease[]> => {
  await lockAccounts(
    transaction,
    leases.map(({ workspaceId }) => workspaceId),
  )
  return findLeases(transaction, leases)
}

/** Fences those of the leases that are still open. They have lost their counters. Resolves with how many it fenced. */
const fenceLost = (database: Database, leases: readonly LeaseName[], graceMs: number): Promise<number> =>
  database.acrossWorkspaces(async (transaction) => {
    const locked = await lockLeases(transaction, leases)
    return (await fence(transaction, locked, graceMs)).length
  })

/** Returns the rest of their credit to the accounts. */
const close = async (transaction: Queryable, leases: readonly Lease[]): Promise<void> => {
  await markClosed(transaction, leases)
  await transfer(
    transaction,
    leases.map(({ workspaceId, id, leasedNano, settledNano }) => ({
      workspaceId,
      eventId: `close:${id}`,
      from: 'leased',
      to: 'available',
      amountNano: leasedNano - settledNano,
    })),
  )
}

/** Closes the fenced leases, whose grace period is over. */
const closeFenced = (database: Database, leases: readonly LeaseName[]): Promise<void> =>
  database.acrossWorkspaces(async (transaction) => {
    const locked = await lockLeases(transaction, leases)
    await close(
      transaction,
      locked.filter(({ state }) => state === 'fenced'),
    )
  })

/**
 * Closes open leases that have no reservations and whose term has passed. The counter is removed first: if the transaction
 * fails then, the lease is found without a counter and fenced. When a counter has no reservations, the ledger has ended all
 * of them.
 */
const closeIdle = (database: Database, counter: CreditCounter, leases: readonly LeaseName[]): Promise<void> =>
  database.acrossWorkspaces(async (transaction) => {
    const open = (await lockLeases(transaction, leases)).filter(({ state }) => state === 'open')
    const dropped = await Promise.all(open.map(({ workspaceId, id }) => counter.drop(workspaceId, id)))
    await close(
      transaction,
      open.filter((_, index) => dropped[index]),
    )
  })
