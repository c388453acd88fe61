import type { IncomingHttpHeaders } from 'node:http'
import type { Span, Tracing } from '@parlance/telemetry'

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
