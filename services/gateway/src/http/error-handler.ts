import { ServiceError, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ErrorRequestHandler } from 'express'
import { sendError } from './error-response.js'

/**
 * The one place where what went wrong becomes an answer. Before the headers it is a status and the five keys. After
 * them a stream of events has an event for it; of any other answer the connection is cut, so that the caller cannot
 * take half an answer for a whole one.
 */
export const createErrorHandler =
  (logger: Logger): ErrorRequestHandler =>
  (error, req, res, _next) => {
    // The caller has left, which is no failure. A socket that was reset is destroyed before its response is closed.
    if (res.closed || req.socket.destroyed) return
    const failure = isBadPath(error) ? badPath() : toServiceError(error)
    req.failure = failure
    if (failure.code === 'internal_error' || failure.cause !== undefined || res.headersSent) {
      logger.error({ requestId: req.id, route: req.route?.path, code: failure.code, err: failure }, 'request failed')
    }
    if (!res.headersSent) sendError(req, res, failure)
    else if (res.tellFailure !== undefined) res.tellFailure(failure)
    // What is already written still goes out, but not the mark that ends a body.
    else res.socket?.destroySoon()
  }

/** Express blames the caller, by a status on its error, for one thing only: a path that cannot be decoded. */
const isBadPath = (error: unknown): boolean => error instanceof URIError && 'status' in error && error.status === 400

const badPath = () => new ServiceError('invalid_request', 'The path is not validly encoded.')
