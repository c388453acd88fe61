import { modelSchema, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { apiKey, json, type Route } from '../route.js'
import { listModels } from './listed-models.js'

export const getModel: Route = {
  method: 'get',
  path: '/v1/models/:model',
  authentication: apiKey(),
  operationId: 'getModel',
  tag: 'Catalogs',
  summary: 'Read a model',
  request: {
    params: z.object({
      model: z.string().meta({ description: 'The `id` of the model. A slash in it is written as %2F.' }),
    }),
  },
  responses: { 200: json('The model.', modelSchema.meta({ id: 'Model' })) },
  errors: ['not_found'],

  createHandler: (sources) =>
    forward(async (req) => {
      const { context } = req
      const models = await listModels(sources, { context })
      const model = models.find(({ id }) => id === req.params.model)
      if (model === undefined)
        throw new ServiceError('not_found', 'There is no such model. GET /v1/models lists all models.')
      return JSON.stringify(model)
    }),
}
