import { authContract, workspaceLimitsSchema, workspaceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { operatorOf } from '../../authentication/require-person.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { idParameterOf } from '../../http/parsed-request.js'
import { json, jsonBody, operator, type Route } from '../route.js'

const body = z.strictObject({
  suspended: z.boolean().optional(),
  capabilities: workspaceSchema.shape.capabilities.optional(),
  ...workspaceLimitsSchema.partial().shape,
})

export const updateWorkspace: Route = {
  method: 'patch',
  path: '/dashboard/api/operator/workspaces/:workspaceId',
  authentication: operator,
  operationId: 'updateWorkspace',
  tag: 'Operations',
  summary: 'Suspend or resume a workspace, or change its limits or its capabilities',
  description:
    'Streams and conversations of a workspace end when it is suspended. `capabilities` replaces what the workspace may use: from then ' +
    'on requests for the rest are refused with `capability_disabled`, and open streams and conversations continue. A limit of 0 ' +
    'means no limit.',
  request: {
    params: z.object({ workspaceId: z.uuid() }),
    body: jsonBody(body, {
      suspend: { value: { suspended: true } },
      limits: { value: { max_concurrent_streams: 0 } },
      capabilities: { value: { capabilities: ['tts'] } },
    }),
  },
  responses: { 200: json('The workspace.', workspaceSchema) },
  calls: [authContract.methods.updateWorkspace],
  createHandler: ({ auth }) =>
    respond(200, async (req) => {
      const workspace_id = idParameterOf(req, 'workspaceId', 'not_found', 'There is no such workspace.')
      const changes = await parseBody(body, req)
      const request = { workspace_id, ...changes, person_id: operatorOf(req).id }
      return auth.updateWorkspace(request, { context: req.context })
    }),
}
