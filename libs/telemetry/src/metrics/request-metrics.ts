import { Counter, Histogram, type Registry } from 'prom-client'
import { requestBucketsSeconds } from './buckets.js'

/** Requests over HTTP, and calls over the bus. */
export interface RequestMetrics {
  /** `route` is the pattern (`/v1/agents/:agentId`), never the path: one label value per route, not per caller. */
  httpRequest(method: string, route: string, status: number, seconds: number): void
  /** A call that this process answered; `code` is `ok` or an error code, `seconds` the handler's own time. */
  busCall(service: string, method: string, code: string, seconds: number): void
}

export const createRequestMetrics = (registers: Registry[]): RequestMetrics => {
  const httpRequests = new Counter({
    registers,
    name: 'parlance_http_requests_total',
    help: 'HTTP requests answered',
    labelNames: ['method', 'route', 'status'],
  })
  const httpDuration = new Histogram({
    registers,
    name: 'parlance_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: requestBucketsSeconds,
  })
  const busCalls = new Counter({
    registers,
    name: 'parlance_bus_calls_total',
    help: 'Calls answered',
    labelNames: ['service', 'method', 'code'],
  })
  const busDuration = new Histogram({
    registers,
    name: 'parlance_bus_call_duration_seconds',
    help: 'Time that the handler of a call took, to its answer or the end of its stream',
    labelNames: ['service', 'method'],
    buckets: requestBucketsSeconds,
  })

  return {
    httpRequest(method, route, status, seconds) {
      httpRequests.labels(method, route, String(status)).inc()
      httpDuration.labels(method, route).observe(seconds)
    },
    busCall(service, method, code, seconds) {
      busCalls.labels(service, method, code).inc()
      busDuration.labels(service, method).observe(seconds)
    },
  }
}
