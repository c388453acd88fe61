import type { Tracing } from '@parlance/telemetry'
import type { RequestHandler } from 'express'

/** Starts a route's span when its trace is sampled, and has it sent along with the route's calls; the log ends it. */
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
