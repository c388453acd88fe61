import { idSchema, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { principalOf } from '../../authentication/require-key.js'

/** The conversation in the path of a route with a key. Throws `session_not_found` when the parameter is not a UUID. */
export const sessionAddressOf = (req: Request) => {
  const id = idSchema.safeParse(String(req.params.sessionId).toLowerCase())
  if (!id.success) throw new ServiceError('session_not_found', 'There is no such session.')
  return { workspace_id: principalOf(req).workspace_id, session_id: id.data }
}
