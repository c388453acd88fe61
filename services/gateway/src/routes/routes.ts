import type { OpenSpeechBill, Synthesize } from '@parlance/clients/speech'
import type { Logger, Metrics, Tracing } from '@parlance/telemetry'
import type { RequestHandler } from 'express'
import { createAdmission } from '../authentication/admission.js'
import { type AuthenticateKey, createRequireKey } from '../authentication/require-key.js'
import type { AuthorizeSession } from '../authentication/session-authorization.js'
import { createPublicUrl, createWebSocketUrl } from '../http/public-url.js'
import { createTraced } from '../http/traced.js'
import { createIdempotent, type IdempotencyOptions } from '../idempotency/idempotent.js'
import { createOpenapiDocument } from '../openapi/document.js'
import type { LimitRate } from '../rate-limit/rate-limiter.js'
import { sessionSocketPath } from '../session-socket/session-socket-path.js'
import { streamPath } from '../stream/stream-path.js'
import { createSpeak } from '../synthesis/speech.js'
import { createAgentSessionHandlers, type SessionRecordsClient } from './agent-sessions.js'
import { type AgentsClient, createAgentHandlers } from './agents.js'
import { createAudioSpeechHandler } from './audio-speech.js'
import { avatarFilesPath, createAvatarFilesHandler } from './avatar-files.js'
import { type CalendarClient, createCalendarHandlers } from './calendar.js'
import { type CatalogClient, createAvatarsHandler, createVoicesHandler } from './catalog.js'
import { type CreditClient, createCreditHandler, createUsageHandler } from './credit.js'
import { createOpenapiHandler, docs, redirectToDocs } from './docs.js'
import { createMemoryHandlers, type MemoryClient } from './memory.js'
import { play } from './play.js'
import { createSessionHandlers, holderOfSessionToken, type SessionHandlersOptions } from './sessions.js'
import { refuseWithoutUpgrade } from './stream.js'
import { talk } from './talk.js'
import { createTokenHandlers, type TokenMint } from './tokens.js'
import { answersJson, createTtsHandler } from './tts.js'

export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** In Express's notation. */
  readonly path: string
  readonly handlers: readonly RequestHandler[]
  /** Whether pages of any origin may call it. */
  readonly fromAnyOrigin?: true
}

/** All that the gateway needs of the world. */
export interface GatewayDependencies {
  readonly authenticate: AuthenticateKey
  readonly limitRate: LimitRate
  readonly idempotency: Omit<IdempotencyOptions, 'logger'>
  readonly agents: AgentsClient
  readonly calendar: CalendarClient
  readonly limitFeed: LimitRate
  readonly catalog: CatalogClient
  readonly credit: CreditClient & SessionHandlersOptions['credit']
  readonly synthesize: Synthesize
  readonly auth: SessionHandlersOptions['auth']
  readonly tokens: TokenMint & SessionHandlersOptions['tokens']
  readonly live: SessionHandlersOptions['live']
  readonly sessions: SessionRecordsClient
  readonly memory: MemoryClient
  readonly authorizeSession: AuthorizeSession
  readonly unconnectedStarts: SessionHandlersOptions['unconnectedStarts']
  /** Where callers reach us; as they say themselves when left out. */
  readonly publicUrl?: string | undefined
  readonly openBill: OpenSpeechBill
  /** How long a speech may take to its first audio, in ms. */
  readonly firstAudioDeadlineMs: number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** Every route there is; `openapi/` describes each of them, which a test sees to. */
export const createRoutes = (dependencies: GatewayDependencies): readonly Route[] => {
  const { authenticate, catalog, credit, synthesize, openBill, firstAudioDeadlineMs } = dependencies
  const { logger, tracing } = dependencies
  const admit = createAdmission(dependencies.limitRate)
  const requireKey = createRequireKey(authenticate, admit)
  const idempotent = createIdempotent({ ...dependencies.idempotency, logger })
  const traced = createTraced(tracing)
  const speak = createSpeak({ synthesize, openBill, firstAudioDeadlineMs })

  const get = (path: string, ...handlers: RequestHandler[]): Route => ({ method: 'get', path, handlers })
  const post = (path: string, ...handlers: RequestHandler[]): Route => ({ method: 'post', path, handlers })

  const agents = createAgentHandlers(dependencies.agents)
  /** A route for the Agents of a workspace. A POST is done once for each `Idempotency-Key`. */
  const ofAgents = (method: Route['method'], path: string, handler: RequestHandler): Route => ({
    method,
    path,
    handlers: [
      traced(`${method.toUpperCase()} ${path}`),
      requireKey('agents'),
      method === 'post' ? idempotent(handler) : handler,
    ],
  })

  const webSocketUrl = createWebSocketUrl(dependencies.publicUrl)
  const tokens = createTokenHandlers({ ...dependencies, webSocketUrl })
  const sessions = createSessionHandlers({ ...dependencies, records: dependencies.sessions, admit, webSocketUrl })
  const agentSessions = createAgentSessionHandlers(dependencies.sessions)
  const publicUrl = createPublicUrl(dependencies.publicUrl)
  const calendar = createCalendarHandlers({ ...dependencies, publicUrl })
  const memory = createMemoryHandlers(dependencies.memory)
  /** A route that browsers call with a session token. */
  const withSessionToken = (method: Route['method'], path: string, handler: RequestHandler): Route => ({
    method,
    path,
    fromAnyOrigin: true,
    handlers: [traced(`${method.toUpperCase()} ${path}`), handler],
  })
  const sessionsPath = '/v1/agents/:agentId/sessions'

  return [
    ofAgents('get', '/v1/agents', agents.list),
    ofAgents('post', '/v1/agents', agents.create),
    ofAgents('get', '/v1/agents/:agentId', agents.read),
    ofAgents('patch', '/v1/agents/:agentId', agents.update),
    ofAgents('delete', '/v1/agents/:agentId', agents.delete),
    ofAgents('post', '/v1/agents/:agentId/publish', agents.publish),
    ofAgents('get', '/v1/agents/:agentId/revisions', agents.listRevisions),
    ofAgents('get', '/v1/agents/:agentId/publications', agents.listPublications),
    ofAgents('post', '/v1/agents/:agentId/session-tokens', tokens.mintSessionToken),
    withSessionToken('post', sessionsPath, idempotent(sessions.start, { ownerOf: holderOfSessionToken })),
    withSessionToken('patch', `${sessionsPath}/:sessionId`, sessions.update),
    withSessionToken('delete', `${sessionsPath}/:sessionId`, sessions.hangUp),
    get(sessionSocketPath, refuseWithoutUpgrade),
    withSessionToken('get', '/v1/ice-servers', sessions.iceServers),
    ofAgents('get', '/v1/agent-sessions', agentSessions.list),
    ofAgents('get', '/v1/agent-sessions/:sessionId', agentSessions.read),
    ofAgents('get', '/v1/agent-sessions/:sessionId/messages', agentSessions.listMessages),
    ofAgents('delete', '/v1/agent-sessions/:sessionId', agentSessions.delete),
    ofAgents('get', '/v1/end-users/:endUserId/calendar', calendar.read),
    ofAgents('delete', '/v1/end-users/:endUserId/calendar', calendar.delete),
    get('/v1/calendar-feeds/:signature.ics', traced('GET /v1/calendar-feeds/:signature.ics'), calendar.readFeed),
    ofAgents('get', '/v1/end-users/:endUserId/memory', memory.list),
    ofAgents('delete', '/v1/end-users/:endUserId/memory', memory.forget),
    post(
      '/v1/tts/stream-tokens',
      traced('POST /v1/tts/stream-tokens'),
      requireKey('tts'),
      idempotent(tokens.mintStreamToken),
    ),
    get(streamPath, refuseWithoutUpgrade),
    post(
      '/v1/tts',
      traced('POST /v1/tts'),
      requireKey('tts'),
      idempotent(createTtsHandler(speak), { applies: answersJson }),
    ),
    post('/v1/audio/speech', traced('POST /v1/audio/speech'), requireKey('tts'), createAudioSpeechHandler(speak)),
    get('/v1/voices', traced('GET /v1/voices'), requireKey(), createVoicesHandler(catalog)),
    get('/v1/avatars', traced('GET /v1/avatars'), requireKey(), createAvatarsHandler(catalog)),
    { ...get(avatarFilesPath, createAvatarFilesHandler()), fromAnyOrigin: true },
    get('/v1/credit', traced('GET /v1/credit'), requireKey(), createCreditHandler(credit)),
    get('/v1/usage', traced('GET /v1/usage'), requireKey(), createUsageHandler(credit)),
    get('/v1/openapi.json', createOpenapiHandler(createOpenapiDocument())),
    get('/', redirectToDocs),
    get('/docs', ...docs.page),
    get('/docs/:asset', ...docs.asset),
    get('/play', ...play.page),
    get('/play/:asset', ...play.asset),
    get('/talk', ...talk.page),
    get('/talk/:asset', ...talk.asset),
  ]
}
