import { agentConfigSchema, agentsContract } from '@parlance/contracts'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { expectedVersionOf } from '../../http/revision-etag.js'
import { agentPatch } from '../../openapi/agent-patch.js'
import { json, jsonBody } from '../../openapi/content.js'
import { agentParameters } from '../../openapi/parameters.js'
import { agent, etagHeader, ifMatchHeader } from '../../openapi/resource-schemas.js'
import { apiKey, type Route } from '../route.js'
import { agentAddressOf } from './agent-address.js'
import { sendAgent } from './agent-response.js'

/** Checks the names of the fields only. The service checks the values, together with the configuration that they change. */
const patchSchema = z.strictObject(
  Object.fromEntries(Object.keys(agentConfigSchema.shape).map((field) => [field, z.unknown().optional()])),
)

export const updateAgent: Route = {
  method: 'patch',
  path: '/v1/agents/:agentId',
  authentication: apiKey('agents'),
  operationId: 'updateAgent',
  tag: 'Agents',
  summary: 'Change the draft of an Agent',
  description:
    'Fields replace, config objects and `metadata` merge one level deep, arrays replace, and `null` clears. The ' +
    'published revision does not change until the next publication.',
  request: {
    params: agentParameters,
    headers: ifMatchHeader,
    body: jsonBody(agentPatch, { example: { value: { display_name: 'Night porter' } } }),
  },
  responses: { 200: json('The Agent.', agent, etagHeader) },
  calls: [agentsContract.methods.updateAgent],

  createHandler:
    ({ agents }) =>
    async (req, res) => {
      const address = agentAddressOf(req)
      const expected_version = expectedVersionOf(req)
      const patch = await parseBody(patchSchema, req)
      const updated = await agents.updateAgent({ ...address, expected_version, patch }, { context: req.context })
      sendAgent(req, res, 200, updated)
    },
}
