import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type CallContext, type Client, missingReplyOf } from '@parlance/bus'
import { bearerCredentials, type WatchedKey } from '@parlance/clients/api-key'
import { maxUnconnectedStartsPerMinute, type UnconnectedStarts } from '@parlance/clients/session-registry'
import {
  type agentsContract,
  type authContract,
  type creditContract,
  type liveSessionsContract,
  ServiceError,
  type StartedSession,
  sessionRequestSchema,
  type sessionsContract,
  sessionUpdateSchema,
  type tokensContract,
  type Workspace,
} from '@parlance/contracts'
import type { Request, RequestHandler, Response } from 'express'
import type { Admit } from '../authentication/admission.js'
import type { AuthorizedSession, AuthorizeSession } from '../authentication/session-authorization.js'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { readJsonBody } from '../http/json-body.js'
import { sendNothing, sendResource } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import type { WebSocketUrl } from '../http/public-url.js'
import { sessionSocketPathOf } from '../session-socket/session-socket-path.js'

export interface SessionHandlersOptions {
  tokens: Pick<Client<typeof tokensContract>, 'checkSessionToken' | 'readSessionToken'>
  auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
  agents: Pick<Client<typeof agentsContract>, 'getPublished'>
  credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  live: Pick<Client<typeof liveSessionsContract>, 'startSession' | 'updateSession' | 'endSession'>
  records: Pick<Client<typeof sessionsContract>, 'getIceServers'>
  authorizeSession: AuthorizeSession
  webSocketUrl: WebSocketUrl
  admit: Admit
  unconnectedStarts: Pick<UnconnectedStarts, 'waitMs'>
}

/** What a media connection may take to be agreed on, in ms. */
const startDeadlineMs = 15_000
/** An instance may fill up, or begin to stop, while a call is on its way to it: so often another one is asked. */
const mostTries = 4
const retryAfterMs = 25

const sessionTokenOf = (req: Request): string =>
  bearerCredentials(req.headers.authorization, 'a session token', 'awst_…')

/** Whose `Idempotency-Key`s a request's are: others may well choose the same, and must not be told of this conversation. */
export const holderOfSessionToken = (req: Request): string =>
  `session-token:${createHash('sha256').update(sessionTokenOf(req)).digest('hex')}`

/** Whether a page of this origin may start conversations; what is not a page has none and may. */
const mayStart = (origin: string | undefined, allowedOrigins: readonly string[]): boolean =>
  origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin.toLowerCase())

const isFull = (error: unknown): boolean =>
  missingReplyOf(error) === 'no-responders' ||
  (error instanceof ServiceError && (error.code === 'capacity_exhausted' || error.code === 'draining'))

/**
 * What is called with a session token. For starting a conversation the order of the refusals is part of the contract: the
 * token (401, then another Agent's, then used), the workspace, the Agent, the origin, the body, credit, capacity. A token
 * that starts nothing is not used up.
 */
export const createSessionHandlers = (options: SessionHandlersOptions) => {
  const { tokens, auth, agents, credit, live, records, authorizeSession, webSocketUrl, admit, unconnectedStarts } =
    options

  /** A token is good for nothing once the key that minted it is revoked. */
  const admitKey = async (
    res: Response,
    { workspace_id, key_id }: WatchedKey,
    context: CallContext,
  ): Promise<Workspace> => {
    const workspace = await auth.getKeyWorkspace({ workspace_id, key_id }, { context })
    await admit(res, { workspace_id, ...workspace }, 'agents')
    return workspace
  }

  const checkUnconnectedStarts = async (res: Response, workspaceId: string): Promise<void> => {
    const waitMs = await unconnectedStarts.waitMs(workspaceId)
    if (waitMs === 0) return
    res.retryAfterSeconds = Math.ceil(waitMs / 1000)
    throw new ServiceError(
      'rate_limited',
      `More than ${maxUnconnectedStartsPerMinute} conversations a minute of this workspace were started and never connected.`,
    )
  }

  const startSomewhere = async (
    request: Parameters<typeof live.startSession>[0],
    context: CallContext,
  ): Promise<StartedSession> => {
    for (let tries = 1; ; tries++) {
      try {
        return await live.startSession(request, { context, deadlineMs: startDeadlineMs })
      } catch (error) {
        if (!isFull(error)) throw error
        if (tries === mostTries) {
          throw new ServiceError(
            'capacity_exhausted',
            'There is no room for another conversation now. Try again shortly.',
          )
        }
        await delay(retryAfterMs * tries)
      }
    }
  }

  /** The conversation of the path, for the holder of the token that started it. */
  const authorize = async (req: Request, res: Response): Promise<AuthorizedSession> => {
    const { agentId, sessionId } = req.params
    const address = { agentId: String(agentId), sessionId: String(sessionId) }
    const session = await authorizeSession(sessionTokenOf(req), address, req.context)
    await admitKey(res, session.place, req.context)
    return session
  }

  /** To the instance that holds the conversation. One that is gone has taken the conversation with it. */
  const atHolder = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call()
    } catch (error) {
      if (missingReplyOf(error) !== 'no-responders') throw error
      throw new ServiceError('session_ended', 'This session has ended.')
    }
  }

  return {
    async start(req, res) {
      const { context } = req
      requireAcceptable(req, jsonOnly)
      const token = sessionTokenOf(req)
      const grant = await tokens.checkSessionToken({ token, agent_id: String(req.params.agentId) }, { context })
      const { workspace_id, agent_id } = grant
      const { max_concurrent_sessions } = await admitKey(res, grant, context)
      await checkUnconnectedStarts(res, workspace_id)
      const { config } = await agents.getPublished({ workspace_id, agent_id }, { context })
      if (!mayStart(req.headers.origin, config.session_config.allowed_origins)) {
        throw new ServiceError('origin_not_allowed', 'The Agent does not take conversations from this origin.')
      }
      const request = parseRequest(sessionRequestSchema, await readJsonBody(req))
      await credit.requireCredit({ workspace_id }, { context })
      const { sdp, ...started } = await startSomewhere({ grant, token, request, max_concurrent_sessions }, context)
      const path = sessionSocketPathOf({ agentId: agent_id, sessionId: started.session_id })
      const way = sdp === null ? { websocket_url: webSocketUrl(req, path) } : { sdp }
      sendResource(req, res, 201, { ...started, ...way })
    },

    async update(req, res) {
      requireAcceptable(req, jsonOnly)
      const { sessionId: session_id, place } = await authorize(req, res)
      const update = parseRequest(sessionUpdateSchema, await readJsonBody(req))
      const { instance_id: instance, workspace_id } = place
      const { sdp } = await atHolder(() =>
        live.updateSession(
          { workspace_id, session_id, update },
          { context: req.context, instance, deadlineMs: startDeadlineMs },
        ),
      )
      sendResource(req, res, 200, sdp === null ? {} : { sdp })
    },

    async hangUp(req, res) {
      const { sessionId: session_id, place } = await authorize(req, res)
      const { instance_id: instance, workspace_id } = place
      await atHolder(() =>
        live.endSession({ workspace_id, session_id, reason: 'user_disconnected' }, { context: req.context, instance }),
      )
      sendNothing(req, res)
    },

    async iceServers(req, res) {
      requireAcceptable(req, jsonOnly)
      const { context } = req
      await admitKey(res, await tokens.readSessionToken({ token: sessionTokenOf(req) }, { context }), context)
      sendResource(req, res, 200, await records.getIceServers({}, { context }))
    },
  } satisfies Record<string, RequestHandler>
}
