import { idSchema, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { principalOf } from '../../authentication/require-key.js'

/**
 * The Agent in a path under `/v1/agents/:agentId` of a route with a key. Throws `agent_not_found` when the parameter is
 * not a UUID.
 */
export const agentAddressOf = (req: Request) => {
  const id = idSchema.safeParse(String(req.params.agentId).toLowerCase())
  if (!id.success) throw new ServiceError('agent_not_found', 'There is no such Agent.')
  return { workspace_id: principalOf(req).workspace_id, agent_id: id.data }
}
