import { apiKeySchema, authContract } from '@parlance/contracts'
import { z } from 'zod'
import { memberOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { json, jsonBody, member, type Route } from '../route.js'

const newKeySchema = z.strictObject({ label: apiKeySchema.shape.label })

export const createKey: Route = {
  method: 'post',
  path: '/dashboard/api/keys',
  authentication: member('admin'),
  operationId: 'createKey',
  tag: 'Keys',
  summary: 'Create an API key',
  request: { body: jsonBody(newKeySchema, { example: { value: { label: 'Web site' } } }) },
  responses: {
    201: json('The key, with its value, which is shown this once.', apiKeySchema.extend({ key: z.string() })),
  },
  calls: [authContract.methods.createKey],
  createHandler: ({ auth }) =>
    respond(201, async (req) => {
      const { label } = await parseBody(newKeySchema, req)
      const { workspace_id, person_id } = memberOf(req)
      return auth.createKey({ workspace_id, label, person_id }, { context: req.context })
    }),
}
