import { retry } from '@parlance/async'
import { type CallContext, missingReplyOf } from '@parlance/bus'
import { maxUnconnectedStartsPerMinute } from '@parlance/clients/session-registry'
import {
  type AgentConfig,
  agentsContract,
  creditContract,
  liveSessionsContract,
  maxMetadataKeyCharacters,
  ServiceError,
  type SessionGrant,
  type StartedSession,
  sessionRequestSchema,
  startedSessionSchema,
  tokensContract,
} from '@parlance/contracts'
import type { Response } from 'express'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { sendResource } from '../../http/json-response.js'
import { answerSdp } from '../../openapi/resource-schemas.js'
import { sessionSocketPathOf } from '../../session-socket/session-socket-server.js'
import { agentParameters } from '../path-parameters.js'
import { json, jsonBody, type Route, type RouteDependencies, sessionToken } from '../route.js'
import { negotiationDeadlineMs } from './live-session.js'
import { admitMintingKey, holderOfSessionToken, sessionTokenOf } from './session-token.js'

const { modalities, metadata } = sessionRequestSchema.shape

/** The request body, with two rules that JSON Schema can express. */
const body = sessionRequestSchema.safeExtend({
  modalities: modalities.meta({ uniqueItems: true }),
  metadata: metadata.meta({ propertyNames: { maxLength: maxMetadataKeyCharacters } }),
})

const started = startedSessionSchema
  .extend({
    sdp: answerSdp.optional().meta({ description: 'For the transport `webrtc`.' }),
    websocket_url: z.string().optional().meta({
      description: 'For the transport `websocket`: the URL to connect to, with the subprotocol `awp.session.v1`.',
    }),
  })
  .meta({ id: 'StartedSession' })

/**
 * The order of the refusals is part of the contract: the token (401, then that of another Agent, then a used one), the
 * workspace, the Agent, the origin, the body, credit, capacity. A request that starts no conversation does not consume the
 * token.
 */
export const startSession: Route = {
  method: 'post',
  path: '/v1/agents/:agentId/sessions',
  authentication: sessionToken,
  idempotency: { ownerOf: holderOfSessionToken },
  operationId: 'startSession',
  tag: 'Sessions',
  summary: 'Start a conversation',
  description:
    'Called by browsers, from any origin that the Agent allows, with a session token, which is consumed. A ' +
    'request that fails does not consume the token. The number of conversations that a workspace may have at once is limited ' +
    '(`concurrency_limited`); a workspace that starts many without connecting to them must wait (`rate_limited`).',
  request: {
    params: agentParameters,
    body: jsonBody(body, {
      webrtc: { value: { sdp: { type: 'offer', sdp: 'v=0\r\n…' }, input_mode: 'automatic' } },
      websocket: { value: { transport: 'websocket', input_mode: 'automatic' } },
    }),
  },
  responses: { 201: json('The conversation, which its peer may connect to within 8 s.', started) },
  calls: [
    tokensContract.methods.checkSessionToken,
    agentsContract.methods.getPublished,
    creditContract.methods.requireCredit,
    liveSessionsContract.methods.startSession,
  ],
  errors: ['origin_not_allowed'],

  createHandler: (dependencies) => async (req, res) => {
    const { tokens, agents, credit, live, unconnectedStarts, webSocketUrl } = dependencies
    const { context } = req
    const token = sessionTokenOf(req)
    const grant = await tokens.checkSessionToken({ token, agent_id: String(req.params.agentId) }, { context })
    const { workspace_id, agent_id } = grant
    const { max_concurrent_sessions } = await admitMintingKey(dependencies, res, grant, context)
    await checkUnconnectedStarts(unconnectedStarts, res, workspace_id)
    // A draft is tried on the page on which a member edits it, so origins are not checked.
    if (grant.draft === undefined) {
      const { config } = await agents.getPublished({ workspace_id, agent_id }, { context })
      if (!mayStart(grant, req.headers.origin, config.session_config)) {
        throw new ServiceError('origin_not_allowed', 'The Agent does not allow conversations from this origin.')
      }
    }
    const request = await parseBody(sessionRequestSchema, req)
    await credit.requireCredit({ workspace_id }, { context })
    const call = { grant, token, request, max_concurrent_sessions }
    const { sdp, ...session } = await startOnAnyInstance(live, call, context)
    const path = sessionSocketPathOf({ agentId: agent_id, sessionId: session.session_id })
    const media = sdp === null ? { websocket_url: webSocketUrl(req, path) } : { sdp }
    sendResource(req, res, 201, { ...session, ...media })
  },
}

/**
 * Whether a page of this origin may start conversations. A client that is not a page sends no origin. It is allowed unless the
 * token was minted for a page.
 */
const mayStart = (
  grant: SessionGrant,
  origin: string | undefined,
  { allowed_origins, public: { enabled, origins } }: AgentConfig['session_config'],
): boolean => {
  if (grant.public) return enabled && origin !== undefined && origins.includes(origin.toLowerCase())
  return origin === undefined || allowed_origins.length === 0 || allowed_origins.includes(origin.toLowerCase())
}

const checkUnconnectedStarts = async (
  unconnectedStarts: RouteDependencies['unconnectedStarts'],
  res: Response,
  workspaceId: string,
): Promise<void> => {
  const waitMs = await unconnectedStarts.waitMs(workspaceId)
  if (waitMs === 0) return
  res.retryAfterSeconds = Math.ceil(waitMs / 1000)
  throw new ServiceError(
    'rate_limited',
    `More than ${maxUnconnectedStartsPerMinute} conversations a minute of this workspace were started and never connected.`,
  )
}

/** An instance may fill up or begin to stop while a call is in flight. The call is then sent to another. */
const maxAttempts = 4
const backoff = { firstMs: 25, maxMs: 100 }

const startOnAnyInstance = (
  live: RouteDependencies['live'],
  request: Parameters<typeof live.startSession>[0],
  context: CallContext,
): Promise<StartedSession> =>
  retry(() => live.startSession(request, { context, deadlineMs: negotiationDeadlineMs }), {
    backoff,
    maxAttempts,
    shouldRetry: isFull,
  }).catch((error: unknown) => {
    if (!isFull(error)) throw error
    throw new ServiceError(
      'capacity_exhausted',
      'There is no capacity for another conversation now. Try again shortly.',
    )
  })

const isFull = (error: unknown): boolean =>
  missingReplyOf(error) === 'no-responders' ||
  (error instanceof ServiceError && (error.code === 'capacity_exhausted' || error.code === 'draining'))
