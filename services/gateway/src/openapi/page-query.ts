import { orderSchema } from '@parlance/contracts'
import { z } from 'zod'

/** The query of a list. A page has at most 100 items, and 100 unless the query has a limit. */
export const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 100, description: 'Most items on a page.' }),
  cursor: z.string().min(1).max(256).optional().meta({ description: 'The `next_cursor` of the page before.' }),
})

/** The query of a list that is ordered by the time of creation, with the newest first unless the query has an order. */
export const orderedPageQuerySchema = pageQuerySchema.extend({
  order: orderSchema.optional().meta({ default: 'desc', description: 'By time of creation.' }),
})
