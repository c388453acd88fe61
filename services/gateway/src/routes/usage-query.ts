import { usageGroupingSchema } from '@parlance/contracts'
import { z } from 'zod'

const dayMs = 24 * 3_600_000
const usualDays = 30
export const longestUsageDays = 366

const formError = 'must be a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z'

/** Years that every part of the way can tell. */
const isWithinReach = (ms: number) => ms >= Date.UTC(1970, 0) && ms < Date.UTC(9999, 0)

/** A point in time, in ms since 1970. */
const instantSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: formError })
  .transform((text) => Date.parse(text))
  .refine(isWithinReach, { error: 'must be of the years 1970 to 9998' })

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
