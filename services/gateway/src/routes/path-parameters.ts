/** The ids in the paths of routes: their schemas, and how a handler reads them. */

import { idSchema } from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { principalOf } from '../authentication/require-key.js'
import { idParameterOf, parseRequest } from '../http/parsed-request.js'

const agentId = z.uuid().meta({ description: 'The `id` of the Agent.' })
export const agentParameters = z.object({ agentId })

/**
 * The Agent in a path under `/v1/agents/:agentId` of a route with a key. Throws `agent_not_found` when the parameter is
 * not a UUID.
 */
export const agentAddressOf = (req: Request) => ({
  agent_id: idParameterOf(req, 'agentId', 'agent_not_found', 'There is no such Agent.'),
  workspace_id: principalOf(req).workspace_id,
})

export const knowledgeFileParameters = z.object({
  agentId,
  fileId: z.uuid().meta({ description: 'The `id` of the file.' }),
})

/** The file in a path under `/v1/agents/:agentId/knowledge`. Throws `not_found` when the parameter is not a UUID. */
export const knowledgeFileAddressOf = (req: Request) => ({
  ...agentAddressOf(req),
  file_id: idParameterOf(req, 'fileId', 'not_found', 'The Agent has no such file.'),
})

const sessionId = z.uuid().meta({ description: 'The `session_id` of the conversation.' })
export const sessionParameters = z.object({ sessionId })
export const agentSessionParameters = z.object({ agentId, sessionId })

/** The conversation in the path of a route with a key. Throws `session_not_found` when the parameter is not a UUID. */
export const sessionAddressOf = (req: Request) => ({
  session_id: idParameterOf(req, 'sessionId', 'session_not_found', 'There is no such session.'),
  workspace_id: principalOf(req).workspace_id,
})

const webhookId = z.uuid().meta({ description: 'The `id` of the webhook.' })
export const webhookParameters = z.object({ webhookId })
export const deliveryParameters = z.object({
  webhookId,
  deliveryId: z.uuid().meta({ description: 'The `id` of the delivery.' }),
})

/** The webhook in the path of a route with a key. Throws `not_found` when the parameter is not a UUID. */
export const webhookAddressOf = (req: Request) => ({
  webhook_id: idParameterOf(req, 'webhookId', 'not_found', 'There is no such webhook.'),
  workspace_id: principalOf(req).workspace_id,
})

export const providerParameters = z.object({ providerId: z.uuid() })

/** The model provider in the path. Throws `not_found` when the parameter is not a UUID. */
export const providerAddressOf = (req: Request) => ({
  provider_id: idParameterOf(req, 'providerId', 'not_found', 'There is no such model provider.'),
  workspace_id: principalOf(req).workspace_id,
})

export const phoneNumberParameters = z.object({ numberId: z.uuid() })

/** The telephone number in the path. Throws `not_found` when the parameter is not a UUID. */
export const phoneNumberAddressOf = (req: Request) => ({
  number_id: idParameterOf(req, 'numberId', 'not_found', 'There is no such telephone number.'),
  workspace_id: principalOf(req).workspace_id,
})

export const endUserParameters = z.object({
  endUserId: z.uuid().meta({ description: 'The `end_user_id` that session tokens are minted with.' }),
})
const pathSchema = z.object({ end_user_id: z.string().toLowerCase().pipe(idSchema) })

/**
 * The end user in a path under `/v1/end-users/:endUserId` of a route with a key. End users are not registered, so every
 * UUID is a valid end user. Throws `invalid_request` when the parameter is not a UUID.
 */
export const endUserAddressOf = (req: Request) => ({
  workspace_id: principalOf(req).workspace_id,
  ...parseRequest(pathSchema, { end_user_id: req.params.endUserId }),
})
