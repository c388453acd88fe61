import { idSchema } from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { principalOf } from '../authentication/require-key.js'
import { parseRequest } from '../http/parsed-request.js'

const pathSchema = z.object({ end_user_id: z.string().toLowerCase().pipe(idSchema) })

/**
 * The end user of a path under `/v1/end-users/:endUserId`, behind `requireKey`. Nobody registers end users, so any UUID is
 * one of whom nothing may be known; what is none is `invalid_request`.
 */
export const endUserAddressOf = (req: Request) => ({
  workspace_id: principalOf(req).workspace_id,
  ...parseRequest(pathSchema, { end_user_id: req.params.endUserId }),
})
