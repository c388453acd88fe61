import type { Tracing } from '@parlance/telemetry'
import type { RequestHandler } from 'express'

/** Middleware that starts the span of a route when its trace is sampled. The calls of the request become its children. The access log ends it. */
export const createTraced =
  (tracing: Tracing) =>
  (name: string): RequestHandler =>
  (req, _res, next) => {
    const span = tracing.startSpan(name, 'server', req.headers.traceparent as string | undefined)
    if (span !== undefined) {
      req.span = span
      req.context = { requestId: req.id, traceparent: span.traceparent }
    }
    next()
  }
