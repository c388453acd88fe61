import { ServiceError } from '@parlance/contracts'
import type { Express, RequestHandler } from 'express'
import express from 'express'
import { cartesiaRoutes } from './compat/cartesia/cartesia-routes.js'
import { deepgramRoutes } from './compat/deepgram/deepgram-routes.js'
import { elevenlabsRoutes } from './compat/elevenlabs/elevenlabs-routes.js'
import { jambonzListeningRoute } from './compat/jambonz/jambonz-listening.js'
import { jambonzSpeechRoutes } from './compat/jambonz/jambonz-speech.js'
import { createAccessLog } from './http/access-log.js'
import { allowAnyOrigin, refuseOtherMethods } from './http/allowed-methods.js'
import { createErrorHandler } from './http/error-response.js'
import { checkHostHeader } from './http/host-header.js'
import { requestIdFrom } from './http/request-context.js'
import { dashboardRoutes } from './routes/dashboard/dashboard-routes.js'
import { createServePages } from './routes/pages/serve-pages.js'
import { createServeSite } from './routes/pages/serve-site.js'
import type { Route } from './routes/route.js'
import { createRouteHandlers, type GatewayDependencies } from './routes/route-handlers.js'
import { routes } from './routes/routes.js'
import { telephonyRoutes } from './telephony/phone-calls.js'

export const createApp = (dependencies: GatewayDependencies): Express => {
  const { logger, metrics, trustedProxies, docsAgentId } = dependencies
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing')
  app.set('trust proxy', trustedProxies)
  app.use(identify, createAccessLog(logger, metrics), requireHost)
  const ofJambonz = [...jambonzSpeechRoutes, jambonzListeningRoute]
  const ofVendors = [...elevenlabsRoutes, ...deepgramRoutes, ...cartesiaRoutes, ...ofJambonz]
  mount(app, [...routes, ...ofVendors, ...telephonyRoutes, ...dashboardRoutes], createRouteHandlers(dependencies))
  app.use(createServeSite(docsAgentId), createServePages(), refuseUnknownPath, createErrorHandler(logger))
  return app
}

const identify: RequestHandler = (req, _res, next) => {
  req.id = requestIdFrom(req.headers)
  req.context = { requestId: req.id }
  next()
}

const requireHost: RequestHandler = (req, _res, next) => {
  checkHostHeader(req)
  next()
}

const mount = (app: Express, routes: readonly Route[], handlersOf: (route: Route) => RequestHandler[]): void => {
  for (const path of new Set(routes.map((route) => route.path))) {
    const atPath = routes.filter((route) => route.path === path)
    const at = app.route(path)
    if (atPath.some(isForAnyOrigin)) at.all(allowAnyOrigin)
    for (const route of atPath) at[route.method](...handlersOf(route))
    at.all(refuseOtherMethods(methodsOf(atPath), atPath.some(isForAnyOrigin)))
  }
}

const isForAnyOrigin = ({ authentication, anyOrigin }: Route): boolean =>
  authentication.kind === 'session token' || authentication.kind === 'key or session token' || anyOrigin === true

const methodsOf = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))

const refuseUnknownPath: RequestHandler = () => {
  throw new ServiceError('not_found', 'There is nothing at this path.')
}
