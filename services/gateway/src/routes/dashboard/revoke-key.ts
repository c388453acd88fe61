import { apiKeySchema, authContract } from '@parlance/contracts'
import { z } from 'zod'
import { memberOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { idParameterOf } from '../../http/parsed-request.js'
import { json, member, type Route } from '../route.js'

export const revokeKey: Route = {
  method: 'delete',
  path: '/dashboard/api/keys/:keyId',
  authentication: member('admin'),
  operationId: 'revokeKey',
  tag: 'Keys',
  summary: 'Revoke an API key, immediately and permanently',
  request: { params: z.object({ keyId: z.uuid() }) },
  responses: { 200: json('The key, revoked.', apiKeySchema) },
  calls: [authContract.methods.revokeKey],
  createHandler: ({ auth }) =>
    respond(200, async (req) => {
      const key_id = idParameterOf(req, 'keyId', 'not_found', 'There is no such key.')
      const { workspace_id, person_id } = memberOf(req)
      return auth.revokeKey({ workspace_id, key_id, person_id }, { context: req.context })
    }),
}
