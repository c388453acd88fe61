import { modelSchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { apiKey, json, type Route } from '../route.js'
import { listModels as listAllModels } from './listed-models.js'

const list = z.object({ object: z.literal('list'), data: z.array(modelSchema.meta({ id: 'Model' })) })

export const listModels: Route = {
  method: 'get',
  path: '/v1/models',
  authentication: apiKey(),
  operationId: 'listModels',
  tag: 'Catalogs',
  summary: 'List the models',
  description:
    "For OpenAI's client libraries. `POST /v1/audio/speech` takes the variants of voices as models, and " +
    '`POST /v1/audio/transcriptions` takes the recognizers. OpenAI’s names stand for the best of them. `created` is 0 where it is unknown.',
  responses: { 200: json('The models that requests may name.', list) },

  createHandler: (sources) =>
    forward(async ({ context }) => JSON.stringify({ object: 'list', data: await listAllModels(sources, { context }) })),
}
