import { idSchema } from '@parlance/contracts'
import { z } from 'zod'

/** A UUID in a query. Parses to lower case. */
export const idQueryField = z.string().toLowerCase().pipe(idSchema).optional().meta({ type: 'string', format: 'uuid' })

/** The years that JavaScript, Postgres and iCalendar can all represent. */
const isRepresentable = (ms: number) => ms >= Date.UTC(1970, 0) && ms < Date.UTC(9999, 0)
const yearError = 'must be of the years 1970 to 9998'

/** A point in time in a query, with an offset. Parses to UTC. */
export const timeQueryField = z.iso
  .datetime({ offset: true })
  .refine((text) => isRepresentable(Date.parse(text)), { error: yearError })
  .transform((text) => new Date(text).toISOString())
  .optional()
  .meta({ type: 'string', format: 'date-time' })

const instantError = 'must be a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z'

/** A point in time, or a date, which is its beginning in UTC. Parses to ms since 1970. */
export const instantSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: instantError })
  .transform((text) => Date.parse(text))
  .refine(isRepresentable, { error: yearError })

/** Its form in the OpenAPI document. */
export const instantForm = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } as const
