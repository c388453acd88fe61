import type { Request } from 'express'
import { principalOf } from '../../authentication/require-key.js'
import { idParameterOf } from '../../http/parsed-request.js'

/** The webhook in the path of a route with a key. Throws `not_found` when the parameter is not a UUID. */
export const webhookAddressOf = (req: Request) => ({
  webhook_id: idParameterOf(req, 'webhookId', 'not_found', 'There is no such webhook.'),
  workspace_id: principalOf(req).workspace_id,
})
