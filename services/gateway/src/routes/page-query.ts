import { orderSchema } from '@parlance/contracts'
import { z } from 'zod'

/** The query of a list. A page has at most 100 items, which is also what it has when nothing is asked for. */
export const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .optional(),
  cursor: z.string().min(1).max(256).optional(),
})

/** Of a list that is ordered by time of creation, the newest first when nothing is asked for. */
export const orderedPageQuerySchema = pageQuerySchema.extend({ order: orderSchema.optional() })
