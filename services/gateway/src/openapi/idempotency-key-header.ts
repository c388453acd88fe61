import { z } from 'zod'

const description =
  'The same key gives the same answer for 24 hours, marked by `idempotency-replayed: true`; another body under it is 409.'

/** The request header of a POST that is done once for each key; `when` says for which requests, if not for all. */
export const idempotencyKey = (when = '') =>
  z.object({
    'idempotency-key': z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: `${when}${description}`, example: 'order-1042' }),
  })
