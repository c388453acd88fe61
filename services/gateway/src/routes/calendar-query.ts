import { z } from 'zod'
import { instantSchema } from './instant.js'

const dayMs = 24 * 3_600_000
const usualDays = 30
export const longestCalendarDays = 366

export const calendarQuerySchema = z.strictObject({ from: instantSchema.optional(), to: instantSchema.optional() })

/** The query, as the calendar is asked: what is left out means the days from now on. */
export const calendarRangeSchema = calendarQuerySchema.transform(({ from = Date.now(), to }, context) => {
  const toMs = to ?? from + usualDays * dayMs
  const wrong = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message })
  if (from >= toMs) wrong('must be after from')
  else if (toMs - from > longestCalendarDays * dayMs) wrong(`must be at most ${longestCalendarDays} days after from`)
  return { from: new Date(from).toISOString(), to: new Date(toMs).toISOString() }
})
