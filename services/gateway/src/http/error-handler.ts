import { ServiceError, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ErrorRequestHandler } from 'express'
import { sendError } from './error-response.js'

/**
 * The one place where an error becomes a response. Before the headers are sent, it is a status and the five keys, or a
 * redirect to the page of the link for a browser that followed a link. After that, an event stream receives an error event.
 * Any other connection is closed, so that the client cannot mistake a partial response for a complete one.
 */
export const createErrorHandler =
  (logger: Logger): ErrorRequestHandler =>
  (error, req, res, _next) => {
    // The client has disconnected, which is not a failure. A socket that was reset is destroyed before its response is closed.
    if (res.closed || req.socket.destroyed) return
    const failure = isBadPath(error) ? badPath() : toServiceError(error)
    req.failure = failure
    if (failure.code === 'internal_error' || failure.cause !== undefined || res.headersSent) {
      logger.error({ requestId: req.id, route: req.route?.path, code: failure.code, err: failure }, 'A request failed')
    }
    if (!res.headersSent && res.beginWithError !== undefined) res.beginWithError(failure)
    else if (!res.headersSent) sendError(req, res, failure)
    else if (res.endWithError !== undefined) res.endWithError(failure)
    // Sends what is written already, but not the chunk that ends a body.
    else res.socket?.destroySoon()
  }

/** Express sets a status on one error only: that of a path that cannot be decoded. */
const isBadPath = (error: unknown): boolean => error instanceof URIError && 'status' in error && error.status === 400

const badPath = () => new ServiceError('invalid_request', 'The path is not validly encoded.')
