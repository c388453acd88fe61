import type { Request } from 'express'
import { principalOf } from '../../authentication/require-key.js'
import { idParameterOf } from '../../http/parsed-request.js'

/** The conversation in the path of a route with a key. Throws `session_not_found` when the parameter is not a UUID. */
export const sessionAddressOf = (req: Request) => ({
  session_id: idParameterOf(req, 'sessionId', 'session_not_found', 'There is no such session.'),
  workspace_id: principalOf(req).workspace_id,
})
