import { modelProvidersContract, modelProviderTestSchema } from '@parlance/contracts'
import { z } from 'zod'
import { readJsonBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { json, jsonBody } from '../../openapi/content.js'
import { member, type Route } from '../route.js'
import { providerAddressOf, providerParameters } from './provider-address.js'

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
  createHandler:
    ({ modelProviders }) =>
    async (req, res) => {
      const { model } = parseRequest(trialSchema, await readJsonBody(req))
      const request = { ...providerAddressOf(req), model }
      sendResource(req, res, 200, await modelProviders.testProvider(request, { context: req.context }))
    },
}
