import { ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { respondNothing } from '../../http/json-response.js'
import { operator, type Route } from '../route.js'

const params = z.object({ name: z.string() })

export const removeModel: Route = {
  method: 'delete',
  path: '/dashboard/api/operator/models/:name',
  authentication: operator,
  operationId: 'removeModel',
  tag: 'Operations',
  summary: 'Remove a model',
  request: { params },
  responses: { 204: { description: 'The model is removed. Engines close it some seconds later.' } },
  createHandler: ({ modelAdministration }) =>
    respondNothing(async (req) => {
      if (modelAdministration === undefined) throw new ServiceError('not_found', 'There is no such model.')
      await modelAdministration.remove(params.parse(req.params).name)
    }),
}
