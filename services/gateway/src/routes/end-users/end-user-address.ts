import { idSchema } from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { parseRequest } from '../../http/parsed-request.js'

const pathSchema = z.object({ end_user_id: z.string().toLowerCase().pipe(idSchema) })

/**
 * The end user in a path under `/v1/end-users/:endUserId` of a route with a key. End users are not registered, so every
 * UUID is a valid end user. Throws `invalid_request` when the parameter is not a UUID.
 */
export const endUserAddressOf = (req: Request) => ({
  workspace_id: principalOf(req).workspace_id,
  ...parseRequest(pathSchema, { end_user_id: req.params.endUserId }),
})
