import type { Logger, Metrics } from '@parlance/telemetry'
import type { RequestHandler, Response } from 'express'

/** The status in the log and the metrics for a client that closed the connection before the response was complete. */
const clientClosedStatus = 499

/**
 * Logs and counts each request when its response is complete or its client has disconnected. The route is logged as a pattern, so
 * that neither ids nor query strings are in the log. A response that was cut counts with the status of its failure.
 */
export const createAccessLog = (logger: Logger, metrics: Metrics): RequestHandler => {
  function onClose(this: Response): void {
    const { req } = this
    const { method, failure, span } = req
    const durationMs = performance.now() - req.startedAtMs
    const status = failure?.status ?? (this.writableFinished ? this.statusCode : clientClosedStatus)
    const route: string | undefined = req.route?.path
    const report = () => {
      metrics.httpRequest(method, route, status, durationMs / 1000)
      logger.info(
        {
          method,
          route: route ?? 'unmatched',
          status,
          code: failure?.code,
          durationMs: Math.round(durationMs * 1000) / 1000,
          requestId: req.id,
          workspaceId: req.principal?.workspace_id,
        },
        'A request ended',
      )
    }
    if (span === undefined) report()
    else span.run(report)
    span?.setAttribute('http.response.status_code', status)
    span?.end(status >= 500 ? failure : undefined)
  }

  return (req, res, next) => {
    req.startedAtMs = performance.now()
    res.on('close', onClose)
    next()
  }
}
