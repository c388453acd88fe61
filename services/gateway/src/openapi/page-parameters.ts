import { orderedPageQuerySchema } from '../routes/page-query.js'

const { limit, cursor, order } = orderedPageQuerySchema.shape

/** The query parameters of every list, described. */
export const pageParameters = {
  limit: limit.meta({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'Most items on a page.',
  }),
  cursor: cursor.meta({ description: 'The `next_cursor` of the page before.' }),
}

export const orderParameter = order.meta({ default: 'desc', description: 'By time of creation.' })
