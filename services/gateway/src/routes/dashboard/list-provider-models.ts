import { modelListSchema, modelProvidersContract } from '@parlance/contracts'
import { respond } from '../../http/json-response.js'
import { providerAddressOf, providerParameters } from '../path-parameters.js'
import { json, member, type Route } from '../route.js'

export const listProviderModels: Route = {
  method: 'get',
  path: '/dashboard/api/providers/:providerId/models',
  authentication: member('member', 'agents'),
  operationId: 'listProviderModels',
  tag: 'Agents',
  summary: 'List the models of a provider, the most suitable first',
  description: 'Asks the provider. When it does not answer, or refuses its key, that is a result, not an error.',
  request: { params: providerParameters },
  responses: { 200: json('Its models.', modelListSchema) },
  calls: [modelProvidersContract.methods.listProviderModels],
  createHandler: ({ modelProviders }) =>
    respond(200, (req) => modelProviders.listProviderModels(providerAddressOf(req), { context: req.context })),
}
