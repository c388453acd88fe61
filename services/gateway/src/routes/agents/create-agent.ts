import { agentRequestSchema, agentsContract } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { agent, agentConfig, etagHeader } from '../../openapi/resource-schemas.js'
import { exampleVoiceId } from '../../openapi/speech-schemas.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'
import { sendAgent } from './revision-etag.js'

const example = {
  slug: 'front-desk',
  display_name: 'Front desk',
  voice_id: exampleVoiceId,
  voice_config: { tts_variant: 'standard' },
  system_prompt: 'You answer the door of a small hotel.',
  first_message: 'Welcome! How can I help?',
  llm_provider: 'builtin',
  llm_model: 'rules',
}

const location = z.string().meta({ example: '/v1/agents/…' })

export const createAgent: Route = {
  method: 'post',
  path: '/v1/agents',
  authentication: apiKey('agents'),
  idempotency: {},
  operationId: 'createAgent',
  tag: 'Agents',
  summary: 'Create an Agent',
  request: { body: jsonBody(agentConfig, { example: { value: example } }) },
  responses: { 201: json('The Agent, a draft.', agent, { ...etagHeader, location }) },
  calls: [agentsContract.methods.createAgent],

  createHandler:
    ({ agents }) =>
    async (req, res) => {
      const config = await parseBody(agentRequestSchema, req)
      const { workspace_id } = principalOf(req)
      const created = await agents.createAgent({ workspace_id, config }, { context: req.context })
      sendAgent(req, res, 201, created, ['location', `/v1/agents/${created.id}`])
    },
}
