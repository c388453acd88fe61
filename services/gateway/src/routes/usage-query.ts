import { usageGroupingSchema } from '@parlance/contracts'
import { z } from 'zod'
import { instantSchema } from './instant.js'

const dayMs = 24 * 3_600_000
const usualDays = 30
export const longestUsageDays = 366

export const usageQuerySchema = z.strictObject({
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  group_by: usageGroupingSchema.default('day'),
})

/** The query, as the ledger is asked: what is left out means the days before now. */
export const usagePeriodSchema = usageQuerySchema.transform(({ from, to = Date.now(), group_by }, context) => {
  const fromMs = from ?? to - usualDays * dayMs
  const wrong = (message: string) => context.addIssue({ code: 'custom', path: ['from'], message })
  if (fromMs >= to) wrong('must be before to')
  else if (to - fromMs > longestUsageDays * dayMs) wrong(`must be at most ${longestUsageDays} days before to`)
  return { from: new Date(fromMs).toISOString(), to: new Date(to).toISOString(), group_by }
})
