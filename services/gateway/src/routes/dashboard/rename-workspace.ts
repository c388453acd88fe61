import { authContract, workspaceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { memberOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { json, jsonBody, member, type Route } from '../route.js'

const body = z.strictObject({ name: workspaceSchema.shape.name.trim() })

export const renameWorkspace: Route = {
  method: 'patch',
  path: '/dashboard/api/settings',
  authentication: member('admin'),
  operationId: 'renameWorkspace',
  tag: 'Operations',
  summary: 'Rename the workspace',
  request: { body: jsonBody(body, { example: { value: { name: 'Acme' } } }) },
  responses: { 200: json('The workspace.', workspaceSchema) },
  calls: [authContract.methods.updateWorkspace],
  createHandler: ({ auth }) =>
    respond(200, async (req) => {
      const { name } = await parseBody(body, req)
      const { workspace_id, person_id } = memberOf(req)
      return auth.updateWorkspace({ workspace_id, name, person_id }, { context: req.context })
    }),
}
