import type { Logger, Metrics } from '@parlance/telemetry'
import type { RequestHandler } from 'express'
import { type AuthenticateKey, createIdentifyKey, createRequireKey } from '../authentication/require-key.js'
import { createRequireMember, createRequireOperator } from '../authentication/require-person.js'
import { requireAcceptable } from '../http/acceptable.js'
import { createTraced, type RequestTraceOptions } from '../http/request-context.js'
import { createIdempotent, type IdempotencyOptions } from '../idempotency/idempotent.js'
import { requiresJsonAccept } from '../openapi/error-codes.js'
import type { Route, RouteDependencies } from './route.js'
import { hasSessionToken } from './sessions/session-token.js'

/** The dependencies of the gateway's HTTP API. */
export interface GatewayDependencies extends RouteDependencies, RequestTraceOptions {
  readonly authenticate: AuthenticateKey
  readonly idempotency: Omit<IdempotencyOptions, 'logger'>
  /** The addresses and networks of proxies before the gateway. Only they may name a client's address. */
  readonly trustedProxies: readonly string[]
  /** The public Agent with which readers of the documentation talk. */
  readonly docsAgentId?: string | undefined
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
  const { admit, people, idempotency, logger } = dependencies
  const requireKey = createRequireKey(createIdentifyKey(dependencies), admit)
  const requireMember = createRequireMember(people, admit)
  const requireOperator = createRequireOperator(people, admit)
  const idempotent = createIdempotent({ ...idempotency, logger })
  const traced = createTraced(dependencies)

  return (route) => {
    const { method, path, authentication } = route
    const handlers = [route.createHandler(dependencies)].flat()
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
