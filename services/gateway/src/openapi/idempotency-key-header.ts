import { z } from 'zod'
import { idempotencyKeyPattern } from '../idempotency/idempotency-key.js'

const description =
  'The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409.'

/** The request header of a POST that is executed once for each key. `when` names the requests to which it applies, if not all. */
export const idempotencyKey = (when = '') =>
  z.object({
    'idempotency-key': z
      .string()
      .regex(idempotencyKeyPattern)
      .optional()
      .meta({ description: `${when}${description}`, example: 'order-1042' }),
  })
