import type { Logger, Metrics } from '@parlance/telemetry'
import type { RequestHandler, Response } from 'express'

/** What the log and the metrics say of a caller that left before its answer was complete. */
const leftStatus = 499

/**
 * One line and one count a request, when its answer is complete or its caller has gone. The route is a pattern, never
 * the path: neither ids nor query strings get here. An answer that broke off counts by what broke it.
 */
export const createAccessLog = (logger: Logger, metrics: Metrics): RequestHandler => {
  function onClose(this: Response): void {
    const { req } = this
    const { method, failure, span } = req
    const durationMs = performance.now() - req.startedAtMs
    const status = failure?.status ?? (this.writableFinished ? this.statusCode : leftStatus)
    const route: string = req.route?.path ?? 'unmatched'
    metrics.httpRequest(method, route, status, durationMs / 1000)
    if (span !== undefined) {
      span.setAttribute('http.response.status_code', status)
      span.end(status >= 500 ? failure : undefined)
    }
    logger.info(
      {
        method,
        route,
        status,
        code: failure?.code,
        durationMs: Math.round(durationMs * 1000) / 1000,
        requestId: req.id,
        workspaceId: req.principal?.workspace_id,
      },
      'request',
    )
  }

  return (req, res, next) => {
    req.startedAtMs = performance.now()
    res.on('close', onClose)
    next()
  }
}
