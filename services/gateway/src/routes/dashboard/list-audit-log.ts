import { auditContract, auditEntrySchema, auditFilterSchema, auditPageSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { json, member, type Route } from '../route.js'

const query = pageQuerySchema.extend({
  action: auditFilterSchema.shape.action,
  actor: auditFilterSchema.shape.actor.meta({ description: 'The id of a person or an API key, or `operator`.' }),
})
const page = auditPageSchema.extend({ entries: z.array(auditEntrySchema.meta({ id: 'AuditEntry' })) })

export const listAuditLog: Route = {
  method: 'get',
  path: '/dashboard/api/audit-log',
  authentication: member('admin'),
  operationId: 'listAuditLog',
  tag: 'People',
  summary: 'List who did what in the workspace, newest first',
  description: 'Actions in other services appear in the log a few seconds later.',
  request: { query },
  responses: { 200: json('A page of the audit log.', page) },
  calls: [auditContract.methods.listEntries],
  createHandler: ({ audit }) =>
    respond(200, async (req) => {
      const { workspace_id } = principalOf(req)
      const request = { workspace_id, ...parseRequest(query, req.query) }
      return audit.listEntries(request, { context: req.context })
    }),
}
