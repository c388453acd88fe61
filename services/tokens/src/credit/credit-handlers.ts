import type { Handlers } from '@parlance/bus'
import { maxReservedNano, parseCredit, printCredit } from '@parlance/clients/credit'
import type { creditContract, Reconciliation, ReservationEnd, ReservationOutcome } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import type { ReadBalance } from './credit-balance.js'
import type { ReservationToEnd } from './end-reservations.js'
import { grantCredit } from './grant-credit.js'
import type { LeaseCredit, RequireCredit } from './lease-credit.js'
import { listAccounts } from './ledger.js'
import type { ReconcileCredit } from './reconcile-credit.js'
import type { ReservationResolver } from './reservation-resolver.js'
import { readUsage } from './usage-repository.js'

interface CreditHandlersOptions {
  database: Database
  readBalance: ReadBalance
  leaseCredit: LeaseCredit
  requireCredit: RequireCredit
  resolveReservation: ReservationResolver
  reconcile: ReconcileCredit
  /** Credit below this amount is low. */
  lowNano: bigint
}

/** The maximum number of accounts that are locked together. */
const maxReconciledTogether = 50

const endingOf = ({ hold, charge, usage }: ReservationEnd): ReservationToEnd | { readonly refused: string } => {
  const [amountNano, chargeNano] = [parseCredit(hold.amount), parseCredit(charge)]
  if (chargeNano > amountNano) return { refused: 'charge: must not exceed the reserved amount' }
  if (chargeNano > 0n && usage === null) return { refused: 'usage: is required with a charge' }
  const resolution = usage === null ? 'released' : 'settled'
  // UUIDs are compared without regard to case.
  const [workspaceId, leaseId, id] = [hold.workspace_id, hold.lease_id, hold.id].map((name) => name.toLowerCase())
  return {
    workspaceId: workspaceId!,
    leaseId: leaseId!,
    id: id!,
    amountNano,
    chargeNano,
    resolution,
    usage,
  }
}

export const createCreditHandlers = (options: CreditHandlersOptions): Handlers<typeof creditContract> => {
  const { database, readBalance, leaseCredit, requireCredit, resolveReservation, reconcile, lowNano } = options

  const outcomeOf = async (requested: ReservationEnd): Promise<ReservationOutcome> => {
    const ending = endingOf(requested)
    if ('refused' in ending) return ending
    const ended = await resolveReservation(ending)
    if (ended === undefined) return { refused: 'reservation: its lease does not exist in this workspace' }
    return { resolution: ended.resolution, charged: printCredit(ended.paidByLeaseNano + ended.paidLateNano) }
  }

  return {
    async grant({ workspace_id, amount, reference, reason, person_id }) {
      const amountNano = parseCredit(amount)
      const given = { workspaceId: workspace_id, amountNano, reference, reason, personId: person_id }
      const replayed = await grantCredit(database, given, lowNano)
      return { ...(await readBalance(workspace_id)), replayed }
    },

    async lease({ workspace_id, amount }, { fail }) {
      const amountNano = parseCredit(amount)
      if (amountNano > maxReservedNano)
        return fail('insufficient_credit', 'This is more credit than can be reserved at once.')
      const enough = await leaseCredit(workspace_id, amountNano)
      return enough ? {} : fail('insufficient_credit', 'There is not enough credit left for this.')
    },

    resolve: async ({ endings }) => ({ outcomes: await Promise.all(endings.map(outcomeOf)) }),

    async requireCredit({ workspace_id, daily_limit }) {
      await requireCredit(workspace_id, daily_limit)
      return {}
    },

    getBalance: ({ workspace_id }) => readBalance(workspace_id),

    getUsage: ({ workspace_id, from, to, group_by }) =>
      readUsage(database, { workspaceId: workspace_id, from, to, groupBy: group_by }),

    async reconcile({ workspace_id, cursor, limit }) {
      if (workspace_id !== null) return { workspaces: await reconcile([workspace_id]) }
      const ids = await listAccounts(database, { after: cursor, limit: limit + 1 })
      const page = ids.slice(0, limit)
      const workspaces: Reconciliation[] = []
      for (let at = 0; at < page.length; at += maxReconciledTogether) {
        workspaces.push(...(await reconcile(page.slice(at, at + maxReconciledTogether))))
      }
      return { workspaces, ...(ids.length > limit && { next_cursor: page.at(-1)! }) }
    },
  }
}
