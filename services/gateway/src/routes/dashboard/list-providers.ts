import { modelProviderSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { json, member, type Route } from '../route.js'

/** A provider as the dashboard's routes return it. */
export const modelProvider = modelProviderSchema.meta({ id: 'ModelProvider' })

export const listProviders: Route = {
  method: 'get',
  path: '/dashboard/api/providers',
  authentication: member('member', 'agents'),
  operationId: 'listProviders',
  tag: 'Agents',
  summary: 'List the model providers of the workspace, oldest first',
  description: 'The `llm_provider` of an Agent may be the `id` of one. Keys are not shown.',
  responses: { 200: json('OK', z.object({ providers: z.array(modelProvider) })) },
  createHandler: ({ modelProviders }) =>
    respond(200, async (req) => {
      const { workspace_id } = principalOf(req)
      return modelProviders.listProviders({ workspace_id }, { context: req.context })
    }),
}
