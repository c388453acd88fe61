import { z } from 'zod'

const formError = 'must be a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z'

/** Years that every part of the way can tell. */
const isWithinReach = (ms: number) => ms >= Date.UTC(1970, 0) && ms < Date.UTC(9999, 0)

/** A point in time of a query, in ms since 1970. A date is its beginning in UTC. */
export const instantSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: formError })
  .transform((text) => Date.parse(text))
  .refine(isWithinReach, { error: 'must be of the years 1970 to 9998' })
