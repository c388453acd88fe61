import { bearerCredentials } from '@parlance/api-key'
import type { Client } from '@parlance/bus'
import {
  type agentsContract,
  type authContract,
  type creditContract,
  ServiceError,
  sessionRequestSchema,
  type tokensContract,
} from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { jsonOnly, requireAcceptable } from '../acceptable.js'
import type { Admit } from '../admission.js'
import { readJsonBody } from '../json-body.js'
import { parseRequest } from '../parsed-request.js'

export interface SessionHandlersOptions {
  tokens: Pick<Client<typeof tokensContract>, 'checkSessionToken'>
  auth: Pick<Client<typeof authContract>, 'getWorkspace'>
  agents: Pick<Client<typeof agentsContract>, 'getPublished'>
  credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  admit: Admit
}

/** Whether a page of this origin may start conversations; what is not a page has none and may. */
const mayStart = (origin: string | undefined, allowedOrigins: readonly string[]): boolean =>
  origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin.toLowerCase())

/**
 * Starting a conversation, up to the conversation. The order of the refusals is part of the contract: the token (401, then
 * another Agent's, then used), the workspace, the Agent, the origin, the body, credit, capacity. A token that starts
 * nothing is not used up.
 */
export const createSessionHandlers = ({ tokens, auth, agents, credit, admit }: SessionHandlersOptions) => {
  const start: RequestHandler = async (req, res) => {
    const { context } = req
    requireAcceptable(req, jsonOnly)
    const token = bearerCredentials(req.headers.authorization, 'a session token', 'awst_…')
    const { workspace_id, agent_id } = await tokens.checkSessionToken(
      { token, agent_id: String(req.params.agentId) },
      { context },
    )
    const workspace = await auth.getWorkspace({ workspace_id }, { context })
    await admit(res, { workspace_id, ...workspace }, 'agents')
    const { config } = await agents.getPublished({ workspace_id, agent_id }, { context })
    if (!mayStart(req.headers.origin, config.session_config.allowed_origins)) {
      throw new ServiceError('origin_not_allowed', 'The Agent does not take conversations from this origin.')
    }
    parseRequest(sessionRequestSchema, await readJsonBody(req))
    await credit.requireCredit({ workspace_id }, { context })
    throw new ServiceError('unavailable', 'This installation holds no conversations.')
  }
  return { start }
}
