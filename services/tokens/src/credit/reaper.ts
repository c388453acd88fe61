/**
 * Returns credit of reservations that expired, of leases that lost their counter and of leases that are not used. Any number of
 * processes may run it at the same time; they share the leases by claiming some at a time.
 */
import type { CounterReading, CreditCounter } from '@parlance/clients/credit'
import { type Database, startSweep } from '@parlance/store'
import type { Logger, Metrics } from '@parlance/telemetry'
import { closeFenced, closeIdle, fenceLost } from './close-leases.js'
import type { LeaseTerms } from './credit-settings.js'
import { claim, findDue, type LeaseName } from './lease-repository.js'
import type { ReservationResolver } from './reservation-resolver.js'

export interface ReaperOptions {
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

  const lookAfter = async (leases: readonly LeaseName[]): Promise<void> => {
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
      await lookAfter(claimed)
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
