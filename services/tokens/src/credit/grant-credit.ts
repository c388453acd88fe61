import { parseCredit, printCredit } from '@parlance/clients/credit'
import { addToAuditLog } from '@parlance/clients/outbox'
import { ServiceError } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { raiseCreditLevel } from './credit-level.js'
import { findTransfer, lockAccounts, openAccount, transfer } from './ledger.js'

export interface Grant {
  readonly workspaceId: string
  readonly amountNano: bigint
  readonly reference: string
  readonly reason?: string | undefined
  /** The operator in the dashboard; undefined for the command line. */
  readonly personId?: string | undefined
}

/** The largest balance that the decimal form of the API can represent. */
const maxGrantedNano = parseCredit('999999999.999999999')

/**
 * Grants credit once for each reference of a workspace. Resolves to true when it was granted before. Rejects with
 * `idempotency_conflict` when that was another amount, and with `invalid_request`. Credit below `lowNano` is low.
 */
export const grantCredit = async (database: Database, grant: Grant, lowNano: bigint): Promise<boolean> => {
  const { workspaceId, amountNano, reference, reason, personId } = grant
  if (amountNano === 0n) throw new ServiceError('invalid_request', 'amount: must be more than zero')
  const eventId = `grant:${reference}`
  return database.inWorkspace(workspaceId, async (transaction) => {
    await openAccount(transaction, workspaceId)
    const [account] = await lockAccounts(transaction, [workspaceId])
    const before = await findTransfer(transaction, workspaceId, eventId)
    if (before !== undefined) {
      if (before.amountNano === amountNano) return true
      throw new ServiceError('idempotency_conflict', 'reference: was used before to grant another amount')
    }
    if (account!.grantedNano + amountNano > maxGrantedNano) {
      throw new ServiceError('invalid_request', 'amount: the total granted to a workspace must be less than 1000000000')
    }
    await transfer(transaction, [{ workspaceId, eventId, from: 'granted', to: 'available', amountNano }])
    const balanceNano = account!.availableNano + account!.leasedNano + amountNano
    await raiseCreditLevel(transaction, account!, { balanceNano, lowNano })
    await addToAuditLog(transaction, workspaceId, {
      action: 'credit.granted',
      actor: personId === undefined ? { kind: 'operator', id: null } : { kind: 'person', id: personId },
      details: { amount: printCredit(amountNano), ...(reason === undefined ? { reference } : { reason }) },
    })
    return false
  })
}
