import { authContract, creditBalanceSchema, storableTextSchema, workspaceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { respond } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { json, operator, type Route } from '../route.js'

const query = pageQuerySchema.extend({
  search: storableTextSchema
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'A part of the name in any case, or the id.' }),
})

const { balance, reserved } = creditBalanceSchema.shape
const page = z.object({
  workspaces: z.array(workspaceSchema.extend({ balance, reserved }).meta({ id: 'OperatedWorkspace' })),
  next_cursor: z.string().nullable(),
})

export const listWorkspaces: Route = {
  method: 'get',
  path: '/dashboard/api/operator/workspaces',
  authentication: operator,
  operationId: 'listWorkspaces',
  tag: 'Operations',
  summary: 'List all workspaces with their credit, oldest first',
  request: { query },
  responses: { 200: json('A page of workspaces.', page) },
  calls: [authContract.methods.listWorkspaces],
  createHandler: ({ auth, credit }) =>
    respond(200, async (req) => {
      const options = { context: req.context }
      const { workspaces, next_cursor } = await auth.listWorkspaces(parseRequest(query, req.query), options)
      const withCredit = workspaces.map(async (workspace) => {
        const found = await credit.getBalance({ workspace_id: workspace.id }, options)
        return { ...workspace, balance: found.balance, reserved: found.reserved }
      })
      return { workspaces: await Promise.all(withCredit), next_cursor }
    }),
}
