import { modelProvidersContract, modelProviderTestSchema } from '@parlance/contracts'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { providerAddressOf, providerParameters } from '../path-parameters.js'
import { json, jsonBody, member, type Route } from '../route.js'

const trialSchema = z.strictObject({ model: z.string().min(1).max(200) })

export const testProvider: Route = {
  method: 'post',
  path: '/dashboard/api/providers/:providerId/test',
  authentication: member('admin', 'agents'),
  operationId: 'testProvider',
  tag: 'Agents',
  summary: 'Ask a model of a provider for one word',
  description:
    'A real request, for which the provider may charge. The failure of a provider is a result, not an error.',
  request: { params: providerParameters, body: jsonBody(trialSchema, { example: { value: { model: 'qwen3:8b' } } }) },
  responses: { 200: json('How it answered.', modelProviderTestSchema) },
  calls: [modelProvidersContract.methods.testProvider],
  createHandler: ({ modelProviders }) =>
    respond(200, async (req) => {
      const { model } = await parseBody(trialSchema, req)
      const request = { ...providerAddressOf(req), model }
      return modelProviders.testProvider(request, { context: req.context })
    }),
}
