import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import {
  type ErrorCode,
  maxMetadataKeyCharacters,
  maxVariables,
  sessionTokenRequestSchema,
  sessionTokenSchema,
  streamTokenRequestSchema,
  streamTokenSchema,
  variableNamePattern,
} from '@parlance/contracts'
import { z } from 'zod'
import { streamPath } from '../stream/stream-path.js'
import { idempotencyKey } from './idempotency-key-header.js'
import { answerHeaders, errorResponses, keyAnswerHeaders, keyErrors } from './responses.js'

/** Says what JSON Schema can say of the keys of both objects. */
const sessionTokenRequest = sessionTokenRequestSchema.extend({
  variables: sessionTokenRequestSchema.shape.variables.meta({
    maxProperties: maxVariables,
    propertyNames: { pattern: variableNamePattern.source },
  }),
  metadata: sessionTokenRequestSchema.shape.metadata.meta({ propertyNames: { maxLength: maxMetadataKeyCharacters } }),
})

const agentId = z.object({ agentId: z.uuid().meta({ description: 'The `id` of the Agent.' }) })

const noStore = { 'cache-control': z.literal('no-store') }

const answer = (description: string, schema: z.ZodType) => ({
  description,
  headers: keyAnswerHeaders(noStore),
  content: { 'application/json': { schema } },
})

const body = (schema: z.ZodType, value: object, required = false) => ({
  required,
  content: { 'application/json': { schema, examples: { example: { value } } } },
})

const errorsOf = (...codes: ErrorCode[]) =>
  errorResponses(
    ...keyErrors,
    'capability_disabled',
    'insufficient_credit',
    'invalid_request',
    'invalid_json',
    'payload_too_large',
    'unsupported_media_type',
    'not_acceptable',
    'rate_limited',
    'upstream_timeout',
    ...codes,
  )

export const tokenPaths: readonly RouteConfig[] = [
  {
    method: 'post',
    path: '/v1/agents/{agentId}/session-tokens',
    operationId: 'createSessionToken',
    tags: ['Tokens'],
    summary: 'Mint a session token',
    description:
      'For a browser, to start one conversation with a published Agent within 15 minutes. `end_user_id` is required ' +
      'where the Agent has memory or a calendar. `variables` fill `{{name}}` in the system prompt and the first message of the ' +
      'Agent, and `metadata` is told to its model as it is: neither browser nor user can change them.',
    security: [{ key: [] }],
    request: {
      params: agentId,
      headers: idempotencyKey(),
      body: body(sessionTokenRequest, {
        end_user_id: '0b5c6a52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
        variables: { customer_name: 'Ada', time_zone: 'Europe/Brussels' },
        metadata: { plan: 'gold' },
      }),
    },
    responses: {
      201: answer('The token, in this answer alone.', sessionTokenSchema.meta({ id: 'SessionToken' })),
      ...errorsOf(
        'agent_not_found',
        'agent_not_published',
        'agent_not_api_ready',
        'memory_identity_required',
        'idempotency_conflict',
      ),
    },
  },
  {
    method: 'post',
    path: '/v1/tts/stream-tokens',
    operationId: 'createStreamToken',
    tags: ['Tokens'],
    summary: 'Mint a stream token',
    description: 'To open one connection that streams speech, within 2 minutes.',
    security: [{ key: [] }],
    request: {
      headers: idempotencyKey(),
      body: body(streamTokenRequestSchema, { max_characters: 2_000 }),
    },
    responses: {
      201: answer('The token, in this answer alone.', streamTokenSchema.meta({ id: 'StreamToken' })),
      ...errorsOf('idempotency_conflict'),
    },
  },
  {
    method: 'get',
    path: streamPath,
    operationId: 'streamSpeech',
    tags: ['Speech'],
    summary: 'Stream speech over a WebSocket',
    description:
      'Subprotocol `awp.tts.v1`, with a stream token beside it as `awp.token.<token>`, in the Authorization header, or as ' +
      '`?token=`. Text goes in while it is being written, speech comes out while it is being made; several contexts run ' +
      'side by side. What is wrong with a token is sent in an `error` event and the close code 4401, 4402, 4403 or ' +
      '4429, or, where many such sockets are open, by HTTP; overload and draining refuse the upgrade. A workspace may have ' +
      'only so many streams at once (`concurrency_limited`). A stream ends with 4401 or 4403 within 5 s of the revocation ' +
      'of the key that minted its token, or the suspension of the workspace.',
    security: [],
    request: {
      query: z.object({
        token: z.string().optional(),
        inactivity_timeout: z.number().min(5).max(180).optional().meta({ description: 'In seconds.', example: 60 }),
      }),
    },
    responses: {
      101: { description: 'The protocol changes.' },
      ...errorResponses(
        ...(['invalid_request', 'capacity_exhausted', 'draining', 'unavailable', 'internal_error'] as const),
        ...(['stream_token_invalid', 'unauthorized', 'insufficient_credit', 'capability_disabled'] as const),
        'organization_suspended',
      ),
      429: {
        ...errorResponses('rate_limited', 'concurrency_limited')[429]!,
        headers: answerHeaders({ 'retry-after': z.string() }),
      },
    },
  },
]
