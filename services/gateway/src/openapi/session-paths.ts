import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import {
  type ErrorCode,
  iceServersSchema,
  maxMetadataKeyCharacters,
  sessionMessageSchema,
  sessionRecordSchema,
  sessionRequestSchema,
  sessionSummarySchema,
  sessionUpdateSchema,
  startedSessionSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { sessionListQuerySchema } from '../routes/agent-sessions.js'
import { orderedPageQuerySchema } from '../routes/page-query.js'
import { sessionSocketPath } from '../session-socket/session-socket-path.js'
import { idempotencyKey } from './idempotency-key-header.js'
import { orderParameter, pageParameters } from './page-parameters.js'
import { agentsErrors, errorResponses, keyAnswerHeaders } from './responses.js'

const summary = sessionSummarySchema.meta({ id: 'SessionSummary' })
const record = sessionRecordSchema.meta({ id: 'Session' })
const message = sessionMessageSchema.meta({ id: 'SessionMessage' })

const answerSdp = z.object({ type: z.literal('answer'), sdp: z.string() })
const started = startedSessionSchema
  .extend({
    sdp: answerSdp.optional().meta({ description: 'For the transport `webrtc`.' }),
    websocket_url: z.string().optional().meta({
      description: 'For the transport `websocket`: to be connected to with the subprotocol `awp.session.v1`.',
    }),
  })
  .meta({ id: 'StartedSession' })

/** Says what JSON Schema can say of two rules that are checked. */
const sessionRequest = sessionRequestSchema.safeExtend({
  modalities: sessionRequestSchema.shape.modalities.meta({ uniqueItems: true }),
  metadata: sessionRequestSchema.shape.metadata.meta({ propertyNames: { maxLength: maxMetadataKeyCharacters } }),
})

const agentId = z.uuid().meta({ description: 'The `id` of the Agent.' })
const sessionId = z.uuid().meta({ description: 'The `session_id` of the conversation.' })

interface Operation {
  method: RouteConfig['method']
  path: string
  operationId: string
  summary: string
  description?: string
  request?: RouteConfig['request']
  responses: RouteConfig['responses']
  errors: readonly ErrorCode[]
}

const operation = (
  security: 'key' | 'sessionToken',
  { errors, responses, description, request, ...fields }: Operation,
): RouteConfig => ({
  ...fields,
  tags: ['Sessions'],
  security: [{ [security]: [] }],
  ...(description === undefined ? {} : { description }),
  ...(request === undefined ? {} : { request }),
  responses: {
    ...responses,
    ...errorResponses(
      ...agentsErrors,
      ...(security === 'sessionToken' ? (['session_token_expired'] as const) : []),
      ...errors,
    ),
  },
})

const answer = (description: string, schema: z.ZodType) => ({
  description,
  headers: keyAnswerHeaders(),
  content: { 'application/json': { schema } },
})
const done = (description: string) => ({ 204: { description, headers: keyAnswerHeaders() } })

const body = (schema: z.ZodType, examples: Record<string, object>) => ({
  required: true,
  content: {
    'application/json': {
      schema,
      examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
    },
  },
})

const bodyErrors = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const

const instant = { type: 'string', format: 'date-time' } as const

export const sessionPaths: readonly RouteConfig[] = [
  operation('sessionToken', {
    method: 'post',
    path: '/v1/agents/{agentId}/sessions',
    operationId: 'startSession',
    summary: 'Start a conversation',
    description:
      'Called by browsers, from any origin that the Agent allows, with a session token, which is used up by it. A ' +
      'request that starts no conversation leaves the token as it was. A workspace may have only so many conversations at ' +
      'once (`concurrency_limited`); one that starts many to which no client connects has to wait (`rate_limited`).',
    request: {
      params: z.object({ agentId }),
      headers: idempotencyKey(),
      body: body(sessionRequest, {
        webrtc: { sdp: { type: 'offer', sdp: 'v=0\r\n…' }, input_mode: 'automatic' },
        websocket: { transport: 'websocket', input_mode: 'automatic' },
      }),
    },
    responses: { 201: answer('The conversation, which its peer may connect to within 8 s.', started) },
    errors: [
      ...bodyErrors,
      'session_token_agent_mismatch',
      'session_token_used',
      'origin_not_allowed',
      'agent_not_found',
      'agent_not_published',
      'agent_not_api_ready',
      'voice_not_found',
      'invalid_sdp',
      'idempotency_conflict',
      'insufficient_credit',
      'concurrency_limited',
      'capacity_exhausted',
    ],
  }),
  operation('sessionToken', {
    method: 'patch',
    path: '/v1/agents/{agentId}/sessions/{sessionId}',
    operationId: 'updateSession',
    summary: 'Add candidates, or restart ICE',
    description: 'With the token that started the conversation, for as long as it lives.',
    request: {
      params: z.object({ agentId, sessionId }),
      body: body(sessionUpdateSchema, {
        candidates: {
          candidates: [{ candidate: 'candidate:1 1 udp 2113937151 192.0.2.1 54400 typ host', sdpMid: '0' }],
        },
        restart: { sdp: { type: 'offer', sdp: 'v=0\r\n…' } },
      }),
    },
    responses: { 200: answer('To an offer, the answer.', z.object({ sdp: answerSdp.optional() })) },
    errors: [...bodyErrors, 'session_token_agent_mismatch', 'session_not_found', 'session_ended', 'invalid_sdp'],
  }),
  operation('sessionToken', {
    method: 'delete',
    path: '/v1/agents/{agentId}/sessions/{sessionId}',
    operationId: 'endSession',
    summary: 'Hang up',
    description:
      'With the token that started the conversation, for as long as it lives. The record ends with `user_disconnected`.',
    request: { params: z.object({ agentId, sessionId }) },
    responses: done('The conversation is over.'),
    errors: ['session_token_agent_mismatch', 'session_not_found', 'session_ended'],
  }),
  {
    method: 'get',
    path: sessionSocketPath.replace(/:(\w+)/g, '{$1}'),
    operationId: 'connectSession',
    tags: ['Sessions'],
    summary: 'Talk over a WebSocket',
    description:
      'Subprotocol `awp.session.v1`, with the token that started the conversation beside it as `awp.token.<token>`, in the ' +
      'Authorization header, or as `?token=`. Events are JSON in text frames; audio is binary frames of 20 ms of pcm_s16le, ' +
      'mono, at 24 kHz, both ways. The server sends `session.ready`, `transcript`, `agent.state`, `user.speech` (with ' +
      '`recognized: false` when nothing of it was understood), `alignment`, `interruption`, `tool.call`, `metrics`, ' +
      '`session.ending`, `session.ended`, `error` and `pong`. Closing with 1000 hangs up. What is wrong is sent ' +
      'in an `error` event and the close code 4401, 4403, 4404, 4409 or 4429, or, where many such sockets are open, by HTTP.',
    security: [],
    request: { params: z.object({ agentId, sessionId }), query: z.object({ token: z.string().optional() }) },
    responses: {
      101: { description: 'The protocol changes.' },
      ...errorResponses(
        ...(['invalid_request', 'capacity_exhausted', 'draining', 'unavailable', 'internal_error'] as const),
        ...(['unauthorized', 'session_token_expired', 'session_token_agent_mismatch', 'capability_disabled'] as const),
        ...(['organization_suspended', 'session_not_found', 'session_ended'] as const),
      ),
    },
  },
  operation('sessionToken', {
    method: 'get',
    path: '/v1/ice-servers',
    operationId: 'getIceServers',
    summary: 'STUN and TURN servers',
    description: 'With credentials that hold for a while. The session token is not used up, and may be used already.',
    responses: { 200: answer('The servers.', iceServersSchema.meta({ id: 'IceServers' })) },
    errors: [],
  }),
  operation('key', {
    method: 'get',
    path: '/v1/agent-sessions',
    operationId: 'listSessions',
    summary: 'List conversations',
    request: {
      query: sessionListQuerySchema.extend({
        ...pageParameters,
        order: orderParameter,
        agent_id: z.uuid().optional(),
        end_user_id: z.uuid().optional(),
        started_after: z.string().optional().meta(instant),
        started_before: z.string().optional().meta(instant),
      }),
    },
    responses: {
      200: answer(
        'A page of conversations, live and past.',
        z.object({ sessions: z.array(summary), next_cursor: z.string().nullable() }),
      ),
    },
    errors: [],
  }),
  operation('key', {
    method: 'get',
    path: '/v1/agent-sessions/{sessionId}',
    operationId: 'getSession',
    summary: 'Read a conversation',
    description: 'With what was said in it, as far as that has room; `messages` has all of it, page by page.',
    request: { params: z.object({ sessionId }) },
    responses: { 200: answer('The record.', record) },
    errors: ['session_not_found'],
  }),
  operation('key', {
    method: 'get',
    path: '/v1/agent-sessions/{sessionId}/messages',
    operationId: 'listMessages',
    summary: 'List what was said in a conversation',
    request: {
      params: z.object({ sessionId }),
      query: orderedPageQuerySchema.extend({
        ...pageParameters,
        order: orderParameter.meta({ default: 'asc', description: 'As it was said.' }),
      }),
    },
    responses: {
      200: answer('A page of messages.', z.object({ messages: z.array(message), next_cursor: z.string().nullable() })),
    },
    errors: ['session_not_found'],
  }),
  operation('key', {
    method: 'delete',
    path: '/v1/agent-sessions/{sessionId}',
    operationId: 'deleteSession',
    summary: 'Delete a conversation',
    description: 'Its record and what was said. One that is live is ended first, with `api_ended`.',
    request: { params: z.object({ sessionId }) },
    responses: done('It is gone.'),
    errors: ['session_not_found'],
  }),
]
