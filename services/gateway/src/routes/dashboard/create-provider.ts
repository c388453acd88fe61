import { modelProvidersContract, newModelProviderSchema } from '@parlance/contracts'
import { actorOf, principalOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { json, jsonBody, member, type Route } from '../route.js'
import { modelProvider } from './list-providers.js'

const example = { kind: 'openai_compatible', name: 'Our server', url: 'https://models.example.com/v1', key: 'a-key' }

export const createProvider: Route = {
  method: 'post',
  path: '/dashboard/api/providers',
  authentication: member('admin', 'agents'),
  operationId: 'createProvider',
  tag: 'Agents',
  summary: 'Add a model provider',
  description: 'Its key is stored encrypted, and is never returned.',
  request: { body: jsonBody(newModelProviderSchema, { example: { value: example } }) },
  responses: { 201: json('The provider.', modelProvider) },
  calls: [modelProvidersContract.methods.createProvider],
  createHandler: ({ modelProviders }) =>
    respond(201, async (req) => {
      const provider = await parseBody(newModelProviderSchema, req)
      const { workspace_id } = principalOf(req)
      const request = { workspace_id, provider, actor: actorOf(req) }
      return modelProviders.createProvider(request, { context: req.context })
    }),
}
