import { draftConfigOf, toolSchema, toolTrialSchema } from '@parlance/contracts'
import { z } from 'zod'
import { memberOf } from '../../authentication/require-key.js'
import { readJsonBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { json, jsonBody } from '../../openapi/content.js'
import { bodyErrors, memberErrors } from '../../openapi/error-codes.js'
import { agentParameters } from '../../openapi/path-parameters.js'
import { agentAddressOf } from '../agents/agent-address.js'
import { member, type Route } from '../route.js'

const webSearch = z.strictObject({ type: z.literal('web_search') })
const [, webhook] = toolSchema.options

const body = z.strictObject({
  tool: z.discriminatedUnion('type', [webhook, webSearch]),
  arguments: z.record(z.string(), z.unknown()),
})

const example = {
  tool: { type: 'webhook', name: 'find_order', url: 'https://example.com/orders' },
  arguments: { number: 7 },
}

/** Beyond the time limit of the tool, for the services between. */
const marginMs = 5_000
const webSearchMs = 30_000

export const testTool: Route = {
  method: 'post',
  path: '/dashboard/api/agents/:agentId/tool-tests',
  authentication: member('member', 'agents'),
  operationId: 'testTool',
  tag: 'Agents',
  summary: 'Call a tool as a conversation with the Agent would',
  description:
    'The tool need not be saved. It is called from the server, signed and limited as in a conversation, with the member as the end ' +
    'user. What fails is in `result`, as the model would be given it. Client tools run in the page of a user, and cannot be called here.',
  request: { params: agentParameters, body: jsonBody(body, { example: { value: example } }) },
  responses: { 200: json('What the call came to.', toolTrialSchema) },
  errors: [...memberErrors, ...bodyErrors, 'capability_disabled', 'agent_not_found', 'upstream_timeout'],
  createHandler:
    ({ agents, sessions }) =>
    async (req, res) => {
      const address = agentAddressOf(req)
      const { tool, arguments: args } = parseRequest(body, await readJsonBody(req))
      const draft = draftConfigOf(await agents.getAgent(address, { context: req.context }))
      const isWebhook = tool.type === 'webhook'
      const config = { ...draft, tools: isWebhook ? [tool] : [], web_search_enabled: !isWebhook }
      const name = isWebhook ? tool.name : tool.type
      const deadlineMs = (isWebhook ? tool.timeout_ms : webSearchMs) + marginMs
      const request = { ...address, person_id: memberOf(req).person_id, config, name, arguments: args }
      sendResource(req, res, 200, await sessions.tryTool(request, { context: req.context, deadlineMs }))
    },
}
