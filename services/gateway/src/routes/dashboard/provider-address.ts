import type { Request } from 'express'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { idParameterOf } from '../../http/parsed-request.js'

export const providerParameters = z.object({ providerId: z.uuid() })

/** The model provider in the path. Throws `not_found` when the parameter is not a UUID. */
export const providerAddressOf = (req: Request) => ({
  provider_id: idParameterOf(req, 'providerId', 'not_found', 'There is no such model provider.'),
  workspace_id: principalOf(req).workspace_id,
})
