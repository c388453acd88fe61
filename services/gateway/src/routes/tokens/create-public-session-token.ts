import { agentsContract, authContract, ServiceError, sessionTokenSchema, tokensContract } from '@parlance/contracts'
import { z } from 'zod'
import { requireRate } from '../../authentication/rate-limiter.js'
import { clientNetworkOf } from '../../http/client-address.js'
import { parseOptionalBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { idParameterOf } from '../../http/parsed-request.js'
import { noStoreHeader } from '../../openapi/responses.js'
import { agentParameters } from '../path-parameters.js'
import { json, jsonBody, noAuthentication, type Route } from '../route.js'

const body = z.strictObject({})

/** The order of the refusals: the network, the Agent, the origin, the body, the workspace, the address, credit. */
export const createPublicSessionToken: Route = {
  method: 'post',
  path: '/v1/public/agents/:agentId/session-tokens',
  authentication: noAuthentication,
  anyOrigin: true,
  operationId: 'createPublicSessionToken',
  tag: 'Tokens',
  summary: 'Mint a session token for a visitor of a page',
  description:
    'Called by pages, without a key, for an Agent whose published `session_config.public` is enabled and lists the `Origin` of ' +
    'the page. An address may mint `per_address_per_hour` tokens in an hour (`rate_limited`), and all public conversations of ' +
    'the Agent may use `daily_credit` in a day in UTC (`insufficient_credit`). The token starts one conversation, which has no ' +
    'end user, no variables and no overrides. Any other Agent is `agent_not_found`.',
  request: {
    params: agentParameters,
    headers: z.object({ origin: z.string().optional() }),
    body: jsonBody(body, { example: { value: {} } }, false),
  },
  responses: { 201: json('The token. It is in this response only.', sessionTokenSchema, noStoreHeader) },
  calls: [agentsContract.methods.findPublic, authContract.methods.addAgentKey, tokensContract.methods.mintSessionToken],
  errors: ['origin_not_allowed', 'rate_limited', 'organization_suspended', 'capability_disabled'],

  createHandler: (dependencies) => async (req, res) => {
    const { agents, auth, tokens, admit, limitStrangers, limitVisitors } = dependencies
    const { context } = req
    const network = clientNetworkOf(req)
    const tooMany = 'Your address asks for too many conversations. Try again later.'
    requireRate(await limitStrangers(network), tooMany)
    const agent_id = idParameterOf(req, 'agentId', 'agent_not_found', 'There is no such Agent.')
    const { workspace_id, public: settings } = await agents.findPublic({ agent_id }, { context })
    const { origin } = req.headers
    if (origin === undefined || !settings.origins.includes(origin.toLowerCase())) {
      throw new ServiceError('origin_not_allowed', 'The Agent does not allow conversations from this origin.')
    }
    await parseOptionalBody(body, req)
    const workspace = await auth.addAgentKey({ workspace_id, agent_id }, { context })
    await admit(res, { workspace_id, ...workspace }, 'agents')
    requireRate(await limitVisitors(`${agent_id}:${network}`, settings.per_address_per_hour), tooMany)
    const grant = { workspace_id, agent_id, key_id: agent_id, end_user_id: null, public: true } as const
    sendResource(req, res, 201, await tokens.mintSessionToken(grant, { context }))
  },
}
