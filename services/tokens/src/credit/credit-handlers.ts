import type { Handlers } from '@parlance/bus'
import { mostReservedNano, parseCredit, printCredit } from '@parlance/clients/credit'
import type { creditContract, HoldEnding, HoldOutcome, Reconciliation } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import type { ReadBalance } from './credit-balance.js'
import type { HoldToEnd } from './end-holds.js'
import { grantCredit } from './grant-credit.js'
import type { HoldResolver } from './hold-resolver.js'
import type { LeaseCredit } from './lease-credit.js'
import { listAccounts } from './ledger.js'
import type { ReconcileCredit } from './reconcile-credit.js'
import type { RequireCredit } from './require-credit.js'
import { readUsage } from './usage-repository.js'

export interface CreditHandlersOptions {
  database: Database
  readBalance: ReadBalance
  leaseCredit: LeaseCredit
  requireCredit: RequireCredit
  resolveHold: HoldResolver
  reconcile: ReconcileCredit
}

/** Workspaces whose accounts are locked together for a moment. */
const reconciledAtOnce = 50

const endingOf = ({ hold, charge, usage }: HoldEnding): HoldToEnd | { readonly refused: string } => {
  const [amountNano, chargeNano] = [parseCredit(hold.amount), parseCredit(charge)]
  if (chargeNano > amountNano) return { refused: 'charge: must be at most the amount held' }
  if (chargeNano > 0n && usage === null) return { refused: 'usage: is required where something is charged' }
  const resolution = usage === null ? 'released' : 'settled'
  // A UUID is the same in upper case, and so is the hold.
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
  const { database, readBalance, leaseCredit, requireCredit, resolveHold, reconcile } = options

  const outcomeOf = async (told: HoldEnding): Promise<HoldOutcome> => {
    const ending = endingOf(told)
    if ('refused' in ending) return ending
    const ended = await resolveHold(ending)
    if (ended === undefined) return { refused: 'hold: is of no lease of this workspace' }
    return { resolution: ended.resolution, charged: printCredit(ended.paidByLeaseNano + ended.paidLateNano) }
  }

  return {
    async grant({ workspace_id, amount, reference }) {
      const replayed = await grantCredit(database, {
        workspaceId: workspace_id,
        amountNano: parseCredit(amount),
        reference,
      })
      return { ...(await readBalance(workspace_id)), replayed }
    },

    async lease({ workspace_id, amount }, { fail }) {
      const amountNano = parseCredit(amount)
      if (amountNano > mostReservedNano) return fail('insufficient_credit', 'That much cannot be reserved at once.')
      const enough = await leaseCredit(workspace_id, amountNano)
      return enough ? {} : fail('insufficient_credit', 'There is not enough credit left for this.')
    },

    resolve: async ({ endings }) => ({ outcomes: await Promise.all(endings.map(outcomeOf)) }),

    async requireCredit({ workspace_id }) {
      await requireCredit(workspace_id)
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
      for (let at = 0; at < page.length; at += reconciledAtOnce) {
        workspaces.push(...(await reconcile(page.slice(at, at + reconciledAtOnce))))
      }
      return { workspaces, ...(ids.length > limit && { next_cursor: page.at(-1)! }) }
    },
  }
}
