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
import { sessionSocketPath } from '../../session-socket/session-sockets.js'
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
    const { tokens, webSocketUrl } = dependencies
    const { context } = req
    const token = sessionTokenOf(req)
    const grant = await tokens.checkSessionToken({ token, agent_id: String(req.params.agentId) }, { context })
    const { sdp, ...session } = await beginConversation(
      dependencies,
      {
        ...{ grant, token, origin: req.headers.origin, res },
        readRequest: async () => ({ request: await parseBody(sessionRequestSchema, req) }),
      },
      context,
    )
    const path = sessionSocketPath.replace(':agentId', grant.agent_id).replace(':sessionId', session.session_id)
    const media = sdp === null ? { websocket_url: webSocketUrl(req, path) } : { sdp }
    sendResource(req, res, 201, { ...session, ...media })
  },
}

interface BegunConversation {
  readonly grant: SessionGrant
  readonly token: string
  /** Of the page; undefined for a client that is none. */
  readonly origin: string | undefined
  /** Undefined for the client of a WebSocket. */
  readonly res?: Response | undefined
  /** Called once everything before the request was checked. */
  readRequest(): Promise<Pick<StartRequest, 'request' | 'realtime' | 'phone'>>
}

type StartRequest = Parameters<RouteDependencies['live']['startSession']>[0]

/**
 * Starts a conversation for a client in any protocol, whose token was checked. Checks the rest in the order of the contract: the key
 * that minted the token, its workspace, the rate, starts that did not connect, the Agent, the origin, the request, credit.
 */
export const beginConversation = async (
  dependencies: Pick<RouteDependencies, 'admit' | 'agents' | 'auth' | 'credit' | 'live' | 'unconnectedStarts'>,
  { grant, token, origin, res, readRequest }: BegunConversation,
  context: CallContext,
): Promise<StartedSession> => {
  const { agents, credit, live, unconnectedStarts } = dependencies
  const { workspace_id, agent_id } = grant
  const { max_concurrent_sessions } = await admitMintingKey(dependencies, res, grant, context)
  await checkUnconnectedStarts(unconnectedStarts, workspace_id)
  // A draft is tried on the page on which a member edits it, so origins are not checked.
  if (grant.draft === undefined) {
    const { config } = await agents.getPublished({ workspace_id, agent_id }, { context })
    if (!mayStart(grant, origin, config.session_config)) {
      throw new ServiceError('origin_not_allowed', 'The Agent does not allow conversations from this origin.')
    }
  }
  const request = await readRequest()
  await credit.requireCredit({ workspace_id }, { context })
  return startOnAnyInstance(live, { grant, token, max_concurrent_sessions, ...request }, context)
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
  workspaceId: string,
): Promise<void> => {
  const waitMs = await unconnectedStarts.waitMs(workspaceId)
  if (waitMs === 0) return
  throw new ServiceError(
    'rate_limited',
    `More than ${maxUnconnectedStartsPerMinute} conversations a minute of this workspace were started and never connected.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  )
}

/** An instance may fill up or begin to stop while a call is in flight. The call is then sent to another. */
const maxAttempts = 4
const backoff = { firstMs: 25, maxMs: 100 }

/** Rejects as `startSession` of an instance does; with `capacity_exhausted` when all are full. */
const startOnAnyInstance = (
  live: RouteDependencies['live'],
  request: StartRequest,
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
