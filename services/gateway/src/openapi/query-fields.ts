import { idSchema } from '@parlance/contracts'
import { z } from 'zod'

/** A UUID in a query. Parses to lower case. */
export const idQueryField = z.string().toLowerCase().pipe(idSchema).optional().meta({ type: 'string', format: 'uuid' })

/** A point in time in a query, with an offset. Parses to UTC. */
export const timeQueryField = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .optional()
  .meta({ type: 'string', format: 'date-time' })
