import type { RequestHandler } from 'express'
import { createRequestTrace, type RequestTraceOptions } from './request-trace.js'

/**
 * Middleware that starts the span of a route when its trace is sampled. The work of the request and its calls become children.
 * The access log ends it.
 */
export const createTraced =
  (options: RequestTraceOptions) =>
  (method: string, route: string): RequestHandler => {
    const startSpan = createRequestTrace(options, method, route)
    return (req, _res, next) => {
      const span = startSpan(req.headers)
      if (span === undefined) return next()
      req.span = span
      req.context = { requestId: req.id, traceparent: span.traceparent }
      span.run(next)
    }
  }
