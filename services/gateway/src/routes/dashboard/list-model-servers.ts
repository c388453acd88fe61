import { modelServersSchema } from '@parlance/contracts'
import { respond } from '../../http/json-response.js'
import { json, member, type Route } from '../route.js'

export const listModelServers: Route = {
  method: 'get',
  path: '/dashboard/api/model-servers',
  authentication: member('member', 'agents'),
  operationId: 'listModelServers',
  tag: 'Agents',
  summary: 'List the language models that are available without a provider of the workspace',
  description:
    'Servers on this machine or where the operator looks for them, and the providers that the operator has set up.',
  responses: { 200: json('OK', modelServersSchema) },
  createHandler: ({ modelProviders }) =>
    respond(200, (req) => modelProviders.findModelServers({}, { context: req.context })),
}
