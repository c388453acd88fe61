import { dynamicContextSchema, sessionTokenSchema, tokensContract } from '@parlance/contracts'
import { z } from 'zod'
import { memberOf } from '../../authentication/require-key.js'
import { parseOptionalBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { noStoreHeader } from '../../openapi/responses.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { json, jsonBody, member, type Route } from '../route.js'

const draftTokenRequestSchema = z.strictObject(dynamicContextSchema.shape)
const example = { variables: { customer_name: 'Ada' } }

export const createDraftSessionToken: Route = {
  method: 'post',
  path: '/dashboard/api/agents/:agentId/draft-session-tokens',
  authentication: member('member', 'agents'),
  operationId: 'createDraftSessionToken',
  tag: 'Tokens',
  summary: 'Mint a session token for the draft of an Agent',
  description:
    'For the page on which a member edits the Agent, to start one conversation with the draft as it is when the conversation ' +
    'starts. The member is its user. `publication` of the conversation names the revision, and `metadata` has `draft`.',
  request: {
    params: agentParameters,
    body: jsonBody(draftTokenRequestSchema, { example: { value: example } }, false),
  },
  responses: { 201: json('The token. It is in this response only.', sessionTokenSchema, noStoreHeader) },
  calls: [tokensContract.methods.mintDraftSessionToken],

  createHandler: ({ tokens }) =>
    respond(201, async (req) => {
      const { key_id, person_id } = memberOf(req)
      const context = await parseOptionalBody(draftTokenRequestSchema, req)
      const request = { ...agentAddressOf(req), key_id, end_user_id: person_id, ...context }
      return tokens.mintDraftSessionToken(request, { context: req.context })
    }),
}
