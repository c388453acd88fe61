import {
  authContract,
  creditBalanceSchema,
  creditContract,
  creditSchema,
  storableTextSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { operatorOf } from '../../authentication/require-person.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { idParameterOf } from '../../http/parsed-request.js'
import { idempotencyKeyPattern } from '../../idempotency/idempotency-key.js'
import { json, jsonBody, operator, type Route } from '../route.js'

const body = z.strictObject({
  id: z
    .string()
    .max(200)
    .regex(idempotencyKeyPattern)
    .meta({ description: 'Chosen by the client. A grant with the same id takes effect once.' }),
  amount: creditSchema,
  reason: storableTextSchema
    .trim()
    .min(1)
    .max(200)
    .meta({ description: 'For the audit log, which members of the workspace read.' }),
})

const example = { id: '6f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', amount: '50.00', reason: 'Invoice 17' }

export const grantCredit: Route = {
  method: 'post',
  path: '/dashboard/api/operator/workspaces/:workspaceId/credit-grants',
  authentication: operator,
  operationId: 'grantCredit',
  tag: 'Operations',
  summary: 'Grant credit to a workspace',
  request: { params: z.object({ workspaceId: z.uuid() }), body: jsonBody(body, { example: { value: example } }) },
  responses: {
    200: json(
      'The credit after the grant. `replayed` is true when it had taken effect before.',
      creditBalanceSchema.extend({ replayed: z.boolean() }),
    ),
  },
  calls: [authContract.methods.getWorkspace, creditContract.methods.grant],
  createHandler: ({ auth, credit }) =>
    respond(200, async (req) => {
      const workspace_id = idParameterOf(req, 'workspaceId', 'not_found', 'There is no such workspace.')
      const { id: reference, amount, reason } = await parseBody(body, req)
      const options = { context: req.context }
      // The ledger takes any workspace.
      await auth.getWorkspace({ workspace_id }, options)
      const grant = { workspace_id, amount, reference, reason, person_id: operatorOf(req).id }
      return credit.grant(grant, options)
    }),
}
