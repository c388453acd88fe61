import { z } from 'zod'

const formError = 'must be a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z'

/** The years that JavaScript, Postgres and iCalendar can all represent. */
const isRepresentable = (ms: number) => ms >= Date.UTC(1970, 0) && ms < Date.UTC(9999, 0)

/** A point in time in a query. Parses to ms since 1970. A date is its beginning in UTC. */
export const instantSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: formError })
  .transform((text) => Date.parse(text))
  .refine(isRepresentable, { error: 'must be of the years 1970 to 9998' })

/** Its form in the OpenAPI document. */
export const instantForm = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } as const
