import { z } from 'zod'

/** `cursor` is the `next_cursor` of the page before. */
export const pageRequestSchema = z.strictObject({
  limit: z.int().min(1).max(100).default(100),
  cursor: z.string().min(1).max(256).optional(),
})

/** By time of creation. */
export const orderSchema = z.enum(['asc', 'desc'])
