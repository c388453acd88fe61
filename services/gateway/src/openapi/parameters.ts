import { idSchema, orderSchema } from '@parlance/contracts'
import { z } from 'zod'

/** A UUID in a query. Parses to lower case. */
export const idQueryField = z.string().toLowerCase().pipe(idSchema).optional().meta({ type: 'string', format: 'uuid' })

/** The years that JavaScript, Postgres and iCalendar can all represent. */
const isRepresentable = (ms: number) => ms >= Date.UTC(1970, 0) && ms < Date.UTC(9999, 0)
const yearError = 'must be in the years 1970 to 9998'

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

/** The query of a list. A page has at most 100 items, and 100 unless the query has a limit. */
export const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 100,
      description: 'The maximum number of items on a page.',
    }),
  cursor: z.string().min(1).max(256).optional().meta({ description: 'The `next_cursor` of the previous page.' }),
})

/** The query of a list that is ordered by the time of creation, with the newest first unless the query has an order. */
export const orderedPageQuerySchema = pageQuerySchema.extend({
  order: orderSchema.optional().meta({ default: 'desc', description: 'By time of creation.' }),
})
