/**
 * The webhook events about the credit of a workspace: one when it becomes low and one when it is exhausted, each once until
 * credit is granted. They are created in transactions that have locked the account.
 */
import { printCredit } from '@parlance/clients/credit'
import { addToWebhooks } from '@parlance/clients/outbox'
import type { WebhookEvent } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'

export type CreditLevel = 'enough' | 'low' | 'exhausted'

/** An account as it was when it was locked. */
interface LeveledAccount {
  readonly workspaceId: string
  readonly level: CreditLevel
}

const severity: Readonly<Record<CreditLevel, number>> = { enough: 0, low: 1, exhausted: 2 }

/** The level of a balance. `isRefused` is true where work was refused because the credit did not suffice. */
export const creditLevelOf = (balanceNano: bigint, lowNano: bigint, isRefused: boolean): CreditLevel => {
  const isLow = balanceNano < lowNano
  if (balanceNano <= 0n || (isLow && isRefused)) return 'exhausted'
  return isLow ? 'low' : 'enough'
}

const writeLevel = async (transaction: Queryable, workspaceId: string, level: CreditLevel): Promise<void> => {
  await transaction.query('update accounts set level = $2 where workspace_id = $1', [workspaceId, level])
}

const eventOf = (level: 'low' | 'exhausted', balanceNano: bigint, lowNano: bigint): WebhookEvent => {
  const balance = { balance: printCredit(balanceNano), unit: 'credit' as const }
  return level === 'low'
    ? { type: 'credit.low', data: { ...balance, threshold: printCredit(lowNano) } }
    : { type: 'credit.exhausted', data: balance }
}

interface CreditReading {
  readonly balanceNano: bigint
  /** Credit below this amount is low. */
  readonly lowNano: bigint
  readonly isRefused?: boolean
}

/** Counts the events, including those of transactions that fail. */
export type OnCreditFell = (level: 'low' | 'exhausted') => void

/** After credit was spent, or after work was refused. */
export const announceLowCredit = async (
  transaction: Queryable,
  { workspaceId, level: before }: LeveledAccount,
  { balanceNano, lowNano, isRefused = false }: CreditReading,
  onFell: OnCreditFell,
): Promise<void> => {
  const level = creditLevelOf(balanceNano, lowNano, isRefused)
  if (level === 'enough' || severity[level] <= severity[before]) return
  await writeLevel(transaction, workspaceId, level)
  await addToWebhooks(transaction, workspaceId, eventOf(level, balanceNano, lowNano))
  onFell(level)
}

/** After credit was granted: the next fall is an event again. */
export const raiseCreditLevel = async (
  transaction: Queryable,
  { workspaceId, level: before }: LeveledAccount,
  { balanceNano, lowNano }: CreditReading,
): Promise<void> => {
  const level = creditLevelOf(balanceNano, lowNano, false)
  if (level !== before) await writeLevel(transaction, workspaceId, level)
}
