import type { OrderSpeech, Synthesize, VoicePrices } from '@parlance/clients/speech'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { RequestHandler } from 'express'
import { createAdmission } from '../authentication/admission.js'
import type { LimitRate } from '../authentication/rate-limiter.js'
import { type AuthenticateKey, createRequireKey } from '../authentication/require-key.js'
import { createRequireMember, createRequireOperator } from '../authentication/require-person.js'
import { requireAcceptable } from '../http/acceptable.js'
import { createPublicUrl, createWebSocketUrl } from '../http/public-url.js'
import { createTraced, type RequestTraceOptions } from '../http/request-context.js'
import { createIdempotent, type IdempotencyOptions } from '../idempotency/idempotent.js'
import { createDashboardDocument, createOpenapiDocument } from '../openapi/document.js'
import { requiresJsonAccept } from '../openapi/error-codes.js'
import { createSpeak } from '../synthesis/speech.js'
import { createRunTranscription } from '../transcription/transcription.js'
import type { OpenTranscriptionBill } from '../transcription/transcription-billing.js'
import { createVoicePreviews } from './catalog/voice-previews.js'
import { dashboardRoutes } from './dashboard/dashboard-routes.js'
import type { Route, RouteDependencies } from './route.js'
import { routes } from './routes.js'
import { hasSessionToken } from './sessions/session-token.js'

/** The dependencies of the gateway's HTTP API. */
export interface GatewayDependencies
  extends RequestTraceOptions,
    Omit<
      RouteDependencies,
      | 'admit'
      | 'speak'
      | 'findPreview'
      | 'runTranscription'
      | 'publicUrl'
      | 'webSocketUrl'
      | 'createOpenapiDocument'
      | 'createDashboardDocument'
    > {
  readonly authenticate: AuthenticateKey
  readonly limitRate: LimitRate
  readonly idempotency: Omit<IdempotencyOptions, 'logger'>
  /** The base address at which clients reach the gateway. When left out, it is taken from each request. */
  readonly publicUrl?: string | undefined
  readonly findVoice: VoicePrices
  readonly synthesize: Synthesize
  readonly orderSpeech: OrderSpeech
  readonly openTranscriptionBill: OpenTranscriptionBill
  /** The addresses and networks of proxies before the gateway. Only they may name a client's address. */
  readonly trustedProxies: readonly string[]
  /** The longest wait for the first audio of a speech, in ms. */
  readonly firstAudioDeadlineMs: number
  readonly logger: Logger
  readonly metrics: Metrics
}

const isTraced = (path: string): boolean => path.startsWith('/v1/') || path.startsWith('/dashboard/')

const requireJson: RequestHandler = (req, _res, next) => {
  requireAcceptable(req, ['application/json'])
  next()
}

const unlessSessionToken =
  (requireKey: RequestHandler): RequestHandler =>
  (req, res, next) =>
    hasSessionToken(req) ? next() : requireKey(req, res, next)

/**
 * Returns a function that creates the handlers of a route, in the order in which they run: tracing of requests to the API,
 * the check of the key or the member, the check of the `Accept` header, idempotency, and the handler of the route.
 */
export const createRouteHandlers = (dependencies: GatewayDependencies): ((route: Route) => RequestHandler[]) => {
  const { authenticate, limitRate, limitStrangers, idempotency, publicUrl, logger } = dependencies
  const admit = createAdmission(limitRate)
  const requireKey = createRequireKey(authenticate, admit, limitStrangers)
  const requireMember = createRequireMember(dependencies.people, admit)
  const requireOperator = createRequireOperator(dependencies.people, admit)
  const idempotent = createIdempotent({ ...idempotency, logger })
  const traced = createTraced(dependencies)
  const shared: RouteDependencies = {
    ...dependencies,
    admit,
    speak: createSpeak(dependencies),
    findPreview: createVoicePreviews(dependencies),
    runTranscription: createRunTranscription(dependencies),
    publicUrl: createPublicUrl(publicUrl),
    webSocketUrl: createWebSocketUrl(publicUrl),
    createOpenapiDocument: () => createOpenapiDocument(routes),
    createDashboardDocument: () => createDashboardDocument(dashboardRoutes),
  }

  return (route) => {
    const { method, path, authentication } = route
    const handlers = [route.createHandler(shared)].flat()
    return [
      ...(isTraced(path) ? [traced(method.toUpperCase(), path)] : []),
      ...(authentication.kind === 'key' ? [requireKey(authentication.capability)] : []),
      ...(authentication.kind === 'key or session token'
        ? [unlessSessionToken(requireKey(authentication.capability))]
        : []),
      ...(authentication.kind === 'member' ? [requireMember(authentication)] : []),
      ...(authentication.kind === 'operator' ? [requireOperator] : []),
      ...(requiresJsonAccept(route) ? [requireJson] : []),
      ...(route.idempotency === undefined
        ? handlers
        : handlers.map((handler) => idempotent(handler, route.idempotency))),
    ]
  }
}
