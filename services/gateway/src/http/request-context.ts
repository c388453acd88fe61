import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { requestIdSchema } from '@parlance/contracts'
import type { Span, Tracing } from '@parlance/telemetry'
import type { RequestHandler } from 'express'

/**
 * What the `traceparent` header of a request means. `continue`: the request belongs to that trace, and its decision whether to
 * sample is kept. `link`: the request begins a new trace, which refers to the other one.
 */
export type ClientTraceparent = 'continue' | 'link'

export interface RequestTraceOptions {
  readonly tracing: Pick<Tracing, 'startSpan'>
  readonly clientTraceparent: ClientTraceparent
}

/** Returns a function that starts the span of a request to a route when its trace is sampled. `route` is the pattern. */
export const createRequestTrace = (
  { tracing, clientTraceparent }: RequestTraceOptions,
  method: string,
  route: string,
): ((headers: IncomingHttpHeaders) => Span | undefined) => {
  const attributes = { 'http.request.method': method, 'http.route': route }
  return (headers) => {
    const given = headers.traceparent as string | undefined
    const origin = clientTraceparent === 'continue' ? { parent: given } : { link: given }
    return tracing.startSpan(`${method} ${route}`, 'server', { attributes, ...origin })
  }
}

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

/** The `x-request-id` of the client when it is valid, else a new UUID. */
export const requestIdFrom = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id']
  return given !== undefined && requestIdSchema.safeParse(given).success ? (given as string) : randomUUID()
}
