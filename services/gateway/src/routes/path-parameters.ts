import type { Request } from 'express'
import { principalOf } from '../../authentication/require-key.js'
import { idParameterOf } from '../../http/parsed-request.js'

/**
 * The Agent in a path under `/v1/agents/:agentId` of a route with a key. Throws `agent_not_found` when the parameter is
 * not a UUID.
 */
export const agentAddressOf = (req: Request) => ({
  agent_id: idParameterOf(req, 'agentId', 'agent_not_found', 'There is no such Agent.'),
  workspace_id: principalOf(req).workspace_id,
})
