import {
  maxMetadataKeyCharacters,
  maxVariables,
  sessionTokenRequestSchema,
  sessionTokenSchema,
  tokensContract,
  variableNamePattern,
} from '@parlance/contracts'
import { principalOf } from '../../authentication/require-key.js'
import { parseOptionalBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { noStoreHeader } from '../../openapi/responses.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'

const { variables, metadata } = sessionTokenRequestSchema.shape

/** With the rules for keys of objects that JSON Schema can express. */
const body = sessionTokenRequestSchema.extend({
  variables: variables.meta({
    maxProperties: maxVariables,
    propertyNames: { pattern: variableNamePattern.source },
  }),
  metadata: metadata.meta({ propertyNames: { maxLength: maxMetadataKeyCharacters } }),
})

const example = {
  end_user_id: '0b5c6a52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  variables: { customer_name: 'Ada', time_zone: 'Europe/Brussels' },
  metadata: { plan: 'gold' },
}

export const createSessionToken: Route = {
  method: 'post',
  path: '/v1/agents/:agentId/session-tokens',
  authentication: apiKey('agents'),
  idempotency: {},
  operationId: 'createSessionToken',
  tag: 'Tokens',
  summary: 'Mint a session token',
  description:
    'For a browser, to start one conversation with a published Agent within 15 minutes. `end_user_id` is required ' +
    'where the Agent has memory or a calendar. `variables` fill `{{name}}` in the system prompt and the first message of the ' +
    'Agent, and `metadata` is passed to its model unchanged. Neither the browser nor the user can change them.',
  request: { params: agentParameters, body: jsonBody(body, { example: { value: example } }, false) },
  responses: {
    201: json(
      'The token. It is in this response only.',
      sessionTokenSchema.meta({ id: 'SessionToken' }),
      noStoreHeader,
    ),
  },
  calls: [tokensContract.methods.mintSessionToken],

  createHandler: ({ tokens }) =>
    respond(201, async (req) => {
      const address = agentAddressOf(req)
      const { end_user_id, variables, metadata } = await parseOptionalBody(sessionTokenRequestSchema, req)
      const request = {
        ...address,
        key_id: principalOf(req).key_id,
        end_user_id: end_user_id?.toLowerCase() ?? null,
        variables,
        metadata,
      }
      return tokens.mintSessionToken(request, { context: req.context })
    }),
}
