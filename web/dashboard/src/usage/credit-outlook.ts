import { creditWithout, sumOfCredit } from '../shared/credit-amount.js'
import type { Credit, UsageGroup } from './usage-queries.js'

/** Whether the credit lasts: `days` at the pace of the last week. */
export type CreditOutlook =
  | { readonly state: 'enough' }
  | { readonly state: 'low'; readonly days: number }
  | { readonly state: 'exhausted' }

const paceDays = 7
const enoughForDays = 7

/** `usage` has the days of the last week, and may have earlier ones. `lastDays` are the days of the range, oldest first. */
export const creditOutlookOf = (
  { balance, reserved }: Pick<Credit, 'balance' | 'reserved'>,
  usage: readonly UsageGroup[],
  lastDays: readonly string[],
): CreditOutlook => {
  const available = Number(creditWithout(balance, reserved))
  if (available <= 0) return { state: 'exhausted' }
  const week = new Set(lastDays.slice(-paceDays))
  const spent = usage.filter(({ key }) => key !== null && week.has(key)).map(({ credit_used }) => credit_used)
  const days = (available * paceDays) / Number(sumOfCredit(spent))
  return days >= enoughForDays ? { state: 'enough' } : { state: 'low', days: Math.floor(days) }
}
