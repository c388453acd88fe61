import { Counter } from 'prom-client'
import { createTracedHistogram, type Instruments, requestBucketsSeconds } from './instruments.js'

/** Requests over HTTP, by the semantic conventions, and calls over the bus. */
export interface RequestMetrics {
  /**
   * `route` is the pattern (`/v1/agents/:agentId`), never the path: one label value per route, not per caller. Undefined for
   * a path without a route.
   */
  httpRequest(method: string, route: string | undefined, status: number, seconds: number): void
  /** A call that this process answered; `code` is `ok` or an error code, `seconds` the handler's own time. */
  busCall(service: string, method: string, code: string, seconds: number): void
}

/** Clients may send any method; others count as one. */
const knownMethods: ReadonlySet<string> = new Set([
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'],
])

/** The buckets of the semantic conventions. */
const httpBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

export const createRequestMetrics = (instruments: Instruments): RequestMetrics => {
  const { registers } = instruments
  const http = createTracedHistogram(instruments, {
    name: 'http_server_request_duration_seconds',
    help: 'Time from an HTTP request to the end of its answer',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'url_scheme', 'error_type'],
    buckets: httpBucketsSeconds,
  })
  const busCalls = new Counter({
    registers,
    name: 'parlance_bus_calls_total',
    help: 'Calls answered',
    labelNames: ['service', 'method', 'code'],
  })
  const busDuration = createTracedHistogram(instruments, {
    name: 'parlance_bus_call_duration_seconds',
    help: 'Time that the handler of a call took, to its answer or the end of its stream',
    labelNames: ['service', 'method'],
    buckets: requestBucketsSeconds,
  })

  return {
    httpRequest(method, route = '', status, seconds) {
      const labels = {
        http_request_method: knownMethods.has(method) ? method : '_OTHER',
        http_route: route,
        http_response_status_code: String(status),
        url_scheme: 'http',
        error_type: status >= 500 ? String(status) : '',
      }
      http.observe(labels, seconds)
    },
    busCall(service, method, code, seconds) {
      busCalls.labels(service, method, code).inc()
      busDuration.observe({ service, method }, seconds)
    },
  }
}
