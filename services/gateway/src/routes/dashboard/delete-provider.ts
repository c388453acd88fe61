import { modelProvidersContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { providerAddressOf, providerParameters } from '../path-parameters.js'
import { member, type Route } from '../route.js'

export const deleteProvider: Route = {
  method: 'delete',
  path: '/dashboard/api/providers/:providerId',
  authentication: member('admin', 'agents'),
  operationId: 'deleteProvider',
  tag: 'Agents',
  summary: 'Delete a model provider, with its key',
  description: 'Conversations in progress continue. Agents that use it cannot start new ones.',
  request: { params: providerParameters },
  responses: { 204: { description: 'The provider was deleted.' } },
  calls: [modelProvidersContract.methods.deleteProvider],
  createHandler: ({ modelProviders }) =>
    respondNothing(async (req) => {
      const request = { ...providerAddressOf(req), actor: actorOf(req) }
      await modelProviders.deleteProvider(request, { context: req.context })
    }),
}
