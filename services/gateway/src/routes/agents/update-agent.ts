import { agentConfigSchema, agentsContract } from '@parlance/contracts'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { agent, etagHeader, ifMatchHeader } from '../../openapi/resource-schemas.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'
import { expectedVersionOf, sendAgent } from './revision-etag.js'

type Fields = Readonly<Record<string, z.ZodType>>

/** Fields with a default accept null, which restores the default. `innerOf` is what an object among them becomes. */
const clearable = (fields: Fields, innerOf: (object: z.ZodObject) => z.ZodType): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (!(field instanceof z.ZodDefault || field instanceof z.ZodPrefault)) return [name, field]
      const inner = field.unwrap() as z.ZodType
      return [name, (inner instanceof z.ZodObject ? innerOf(inner) : inner).nullable().optional()]
    }),
  )

/** Config objects merge. An object within one is replaced, so its fields have no null. */
const mergedFields = clearable(agentConfigSchema.shape, (config) =>
  z.strictObject(clearable(config.shape, (replaced) => replaced)),
)

/** The body of `PATCH /v1/agents/{agentId}`, as `mergeAgentConfig` and `agentConfigSchema` together accept it. */
const agentPatch = z
  .strictObject(mergedFields)
  .partial()
  .meta({ id: 'AgentPatch', description: 'Every field may be left out; null resets a field to its default.' })

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
