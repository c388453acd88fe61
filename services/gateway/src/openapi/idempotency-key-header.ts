import { z } from 'zod'
import { idempotencyKeyPattern } from '../idempotency/idempotency-key.js'

const description =
  'The same key gives the same answer for 24 hours, marked by `idempotency-replayed: true`; another body under it is 409.'

/** The request header of a POST that is done once for each key; `when` says for which requests, if not for all. */
export const idempotencyKey = (when = '') =>
  z.object({
    'idempotency-key': z
      .string()
      .regex(idempotencyKeyPattern)
      .optional()
      .meta({ description: `${when}${description}`, example: 'order-1042' }),
  })
