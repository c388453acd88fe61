/** The HTTP routes of OpenAI's Realtime protocol. */
import {
  agentsContract,
  checkRealtimeSession,
  creditContract,
  ignoredOfRealtimeSession,
  liveSessionsContract,
  overridesOfRealtimeSession,
  type RealtimeSession,
  realtimeSessionSchema,
  realtimeTranscriptionSessionSchema,
  ServiceError,
  sessionsContract,
  tokensContract,
} from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { checkWorkspace } from '../authentication/admission.js'
import { actorOf, principalOf } from '../authentication/require-key.js'
import { parseBody, readBody, readJsonBody } from '../http/json-body.js'
import { apiHeaders, ignoredHeader, respondNothing, sendBody, sendResource } from '../http/json-response.js'
import { idParameterOf, parseRequest } from '../http/parsed-request.js'
import { noStoreHeader } from '../openapi/responses.js'
import { apiKey, json, jsonBody, type Route, type RouteDependencies } from '../routes/route.js'
import { hasSessionToken, sessionTokenOf } from '../routes/sessions/session-token.js'
import {
  agentIdOf,
  checkIntent,
  clientWithKey,
  clientWithToken,
  listenTokenOf,
  secretOf,
  startRealtime,
  tokenOf,
} from './realtime-start.js'

const callsPath = '/v1/realtime/calls'

const sessionWithModel = realtimeSessionSchema.extend({
  model: z.string().max(200).meta({ description: 'The id of the Agent.' }),
})

const secretRequest = z.strictObject({
  expires_after: z
    .strictObject({
      anchor: z.literal('created_at').default('created_at'),
      seconds: z.int().min(10).max(7_200).default(600),
    })
    .prefault({}),
  session: sessionWithModel,
})
const transcriptionSecretRequest = secretRequest.extend({ session: realtimeTranscriptionSessionSchema })
/** For the document alone: parsing by a union would not report the problems of the type that a client has chosen. */
const anySecretRequest = secretRequest.extend({
  session: z.union([sessionWithModel, realtimeTranscriptionSessionSchema]),
})

const isForTranscription = (body: unknown): boolean =>
  (body as { readonly session?: { readonly type?: unknown } } | null)?.session?.type === 'transcription'

const secret = z
  .object({
    value: z.string().meta({ description: 'Starts with `ek_`.' }),
    expires_at: z.int().meta({ description: 'In seconds since 1970.' }),
    session: z.object({}).loose(),
  })
  .meta({ id: 'RealtimeClientSecret' })

/** Throws `invalid_request` for an override that the Agent does not allow. */
const checkOverrides = (session: RealtimeSession, allowed: readonly string[]): void => {
  const names = { system_prompt: 'instructions', voice_id: 'audio.output.voice' } as const
  for (const name of Object.keys(overridesOfRealtimeSession(session)) as (keyof typeof names)[]) {
    if (allowed.includes(name)) continue
    throw new ServiceError(
      'invalid_request',
      `session.${names[name]}: the Agent does not allow it. Add "${name}" to its session_config.overrides and publish it.`,
    )
  }
}

type MintingDependencies = Pick<RouteDependencies, 'agents' | 'tokens'>

const mintForTranscription = async ({ tokens }: MintingDependencies, req: Request) => {
  const principal = principalOf(req)
  checkWorkspace(principal, 'stt')
  const { workspace_id, key_id } = principal
  const { expires_after, session } = await parseBody(transcriptionSecretRequest, req)
  const request = { workspace_id, key_id, realtime: session, valid_for_seconds: expires_after.seconds }
  const minted = await tokens.mintListenToken(request, { context: req.context })
  return { minted, given: session, object: 'realtime.transcription_session' }
}

const mintForConversation = async ({ agents, tokens }: MintingDependencies, req: Request) => {
  const principal = principalOf(req)
  checkWorkspace(principal, 'agents')
  const { workspace_id, key_id } = principal
  const { context } = req
  const { expires_after, session } = await parseBody(secretRequest, req)
  const agent_id = agentIdOf(session.model)
  checkRealtimeSession(session, agent_id)
  const { config } = await agents.getPublished({ workspace_id, agent_id }, { context })
  checkOverrides(session, config.session_config.overrides)
  const request = {
    ...{ workspace_id, key_id, agent_id, end_user_id: null, variables: {}, metadata: {} },
    realtime: session,
    valid_for_seconds: expires_after.seconds,
  }
  const minted = await tokens.mintSessionToken(request, { context })
  return { minted, given: { ...session, model: agent_id }, object: 'realtime.session' }
}

export const createClientSecret: Route = {
  method: 'post',
  path: '/v1/realtime/client_secrets',
  authentication: apiKey(),
  idempotency: {},
  operationId: 'createRealtimeClientSecret',
  tag: 'Tokens',
  summary: "Mint a client secret of OpenAI's Realtime protocol",
  description:
    'For a browser, to start one conversation over `WS /v1/realtime` or `POST /v1/realtime/calls`. The model of the session is the id ' +
    'of an Agent. What the Agent allows in `session_config.overrides` may be set: `instructions` and `audio.output.voice`. A session of ' +
    'the type `transcription` recognizes speech over the WebSocket, without an Agent. Fields without effect are listed in ' +
    '`x-parlance-ignored`.',
  request: {
    body: jsonBody(anySecretRequest, {
      conversation: { value: { session: { type: 'realtime', model: '0b5c6a52-2f7a-4f0e-9f4e-3a8f2f8a1b7d' } } },
      transcription: { value: { session: { type: 'transcription' } } },
    }),
  },
  responses: { 200: json('The secret. It is in this response only.', secret, noStoreHeader) },
  calls: [
    tokensContract.methods.mintSessionToken,
    tokensContract.methods.mintListenToken,
    agentsContract.methods.getPublished,
  ],
  errors: ['capability_disabled'],

  createHandler: (dependencies) => async (req, res) => {
    const mint = isForTranscription(await readJsonBody(req)) ? mintForTranscription : mintForConversation
    const { minted, given, object } = await mint(dependencies, req)
    const answer = {
      value: secretOf(minted.token),
      expires_at: Math.floor(Date.parse(minted.expires_at) / 1000),
      session: { ...given, object },
    }
    sendResource(req, res, 200, answer, ignoredHeader(ignoredOfRealtimeSession(given)))
  },
}

interface Offer {
  readonly sdp: string
  readonly session?: RealtimeSession
}

const readOffer = async (req: Request): Promise<Offer> => {
  const { 'content-type': contentType = '' } = req.headers
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'application/sdp') return { sdp: (await readBody(req)).toString() }
  if (type !== 'multipart/form-data') {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the offer as application/sdp, or a form with sdp and session.',
    )
  }
  const body = new Response(await readBody(req), { headers: { 'content-type': contentType } })
  const form = await body.formData().catch(() => {
    throw new ServiceError('invalid_request', 'The body is not a valid form.')
  })
  /** Clients may also send fields as files. */
  const fieldOf = async (name: string): Promise<string | undefined> => {
    const value = form.get(name)
    return value === null || typeof value === 'string' ? (value ?? undefined) : value.text()
  }
  const [sdp, session] = await Promise.all([fieldOf('sdp'), fieldOf('session')])
  if (sdp === undefined) throw new ServiceError('invalid_request', 'sdp: is required')
  if (session === undefined) return { sdp }
  let given: unknown
  try {
    given = JSON.parse(session)
  } catch {
    throw new ServiceError('invalid_json', 'session: is not JSON')
  }
  return { sdp, session: parseRequest(realtimeSessionSchema, given) }
}

const sdpText = z.string().meta({ description: 'SDP.', example: 'v=0\r\n…' })

export const createRealtimeCall: Route = {
  method: 'post',
  path: callsPath,
  authentication: { kind: 'key or session token', capability: 'agents' },
  operationId: 'createRealtimeCall',
  tag: 'Sessions',
  summary: "Talk over WebRTC with OpenAI's Realtime protocol",
  description:
    'The offer is the body, or the field `sdp` of a form with the JSON of a session in `session`. A client secret goes into the ' +
    'Authorization header, or a key, with the id of the Agent as the `model` of the session or of the query. The data channel ' +
    '`oai-events` carries the events.',
  request: {
    query: z.object({ model: z.string().optional().meta({ description: 'The id of the Agent.' }) }),
    body: {
      required: true,
      content: {
        'application/sdp': { schema: sdpText },
        'multipart/form-data': {
          schema: z.object({ sdp: sdpText, session: z.string().optional().meta({ description: 'JSON.' }) }),
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The answer. The client may connect within 8 s.',
      headers: { Location: z.string().meta({ description: 'The path of the call.' }) },
      content: { 'application/sdp': { schema: sdpText } },
    },
  },
  calls: [
    tokensContract.methods.mintSessionToken,
    tokensContract.methods.checkSessionToken,
    agentsContract.methods.getPublished,
    creditContract.methods.requireCredit,
    liveSessionsContract.methods.startSession,
  ],
  errors: ['origin_not_allowed', 'payload_too_large', 'unsupported_media_type', 'invalid_json'],

  createHandler: (dependencies) => async (req, res) => {
    const { context } = req
    checkIntent(req.query.intent)
    if (hasSessionToken(req) && listenTokenOf(sessionTokenOf(req)) !== undefined) {
      const detail =
        'A session of the type "transcription" is not possible over WebRTC. Connect to the WebSocket /v1/realtime.'
      throw new ServiceError('invalid_request', detail)
    }
    const { sdp, session } = await readOffer(req)
    const model = session?.model ?? (typeof req.query.model === 'string' ? req.query.model : undefined)
    const client = hasSessionToken(req)
      ? await clientWithToken(dependencies, tokenOf(sessionTokenOf(req)) ?? '', model, context)
      : await clientWithKey(dependencies, principalOf(req), agentIdOf(model), context)
    const { origin } = req.headers
    const started = await startRealtime(dependencies, { ...client, res, origin, session, sdp }, context)
    const headers = apiHeaders(req.id, 'application/sdp', 'no-store')
    const ignored = ignoredHeader(session === undefined ? [] : ignoredOfRealtimeSession(session))
    headers.push('location', `${callsPath}/${started.session_id}`, ...ignored)
    sendBody(res, 201, headers, started.sdp?.sdp ?? '')
  },
}

export const hangUpRealtimeCall: Route = {
  method: 'post',
  path: `${callsPath}/:sessionId/hangup`,
  authentication: apiKey('agents'),
  operationId: 'hangUpRealtimeCall',
  tag: 'Sessions',
  summary: 'End a call',
  description: 'Ends a conversation of `POST /v1/realtime/calls`. Its record ends with `api_ended`.',
  request: { params: z.object({ sessionId: z.uuid().meta({ description: 'The id in the `Location` of the call.' }) }) },
  responses: { 204: { description: 'The conversation is over.' } },
  calls: [sessionsContract.methods.endSession],

  createHandler: ({ sessions }) =>
    respondNothing(async (req) => {
      const session_id = idParameterOf(req, 'sessionId', 'session_not_found', 'There is no such session.')
      const { workspace_id } = principalOf(req)
      await sessions.endSession({ workspace_id, session_id, actor: actorOf(req) }, { context: req.context })
    }),
}
