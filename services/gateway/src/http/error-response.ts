import { STATUS_CODES } from 'node:http'
import { type ErrorBody, errorBody, ServiceError, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ErrorRequestHandler, Request, Response } from 'express'
import { vendorErrorBody, vendorOf } from '../compat/vendors.js'
import { apiHeaders, jsonType } from './json-response.js'

/** The part of an error that OpenAI's clients read. */
export interface OpenaiError {
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
}

/** The type that OpenAI's API uses for a status. */
const typeOf = (status: number): string => {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'insufficient_quota'
    case 403:
      return 'permission_error'
    case 429:
      return 'rate_limit_error'
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error'
  }
}

export const openaiError = ({ detail, code, status }: ServiceError): OpenaiError => ({
  message: detail,
  type: typeOf(status),
  code,
  param: null,
})

/** Whether OpenAI's clients call a path. */
export const isOpenaiPath = (path: string): boolean => /^\/v1\/(audio|models|realtime)(\/|$)/.test(path)

/**
 * The body of an error: the five keys, and on the routes that OpenAI's clients call also an `error` object for them, and on those of
 * other vendors their fields.
 */
export const errorBodyFor = (
  req: Pick<Request, 'id' | 'path'>,
  error: ServiceError,
): ErrorBody & { readonly error?: OpenaiError } => {
  const body = errorBody(error, req.id)
  const vendor = vendorOf(req.path)
  if (vendor !== undefined) return vendorErrorBody(vendor, body)
  return isOpenaiPath(req.path) ? { ...body, error: openaiError(error) } : body
}

/** The `Retry-After` of an error that has no time. */
const defaultRetryAfterSeconds = 1

const headersOf = ({ status, retryAfterSeconds = defaultRetryAfterSeconds }: ServiceError): string[] => {
  switch (status) {
    case 401:
      return ['www-authenticate', 'Bearer']
    case 429:
    case 503:
      return ['retry-after', String(retryAfterSeconds)]
    default:
      return []
  }
}

/** The response for an error: the status, the headers as a flat array, and the body. */
const errorResponse = (req: Pick<Request, 'id' | 'path'>, error: ServiceError) => {
  const body = JSON.stringify(errorBodyFor(req, error))
  const headers = apiHeaders(req.id, jsonType, 'no-store')
  headers.push('content-length', String(Buffer.byteLength(body)), ...headersOf(error))
  return { status: error.status, headers, body }
}

/** `extraHeaders` is a flat array. */
export const sendError = (
  req: Request,
  res: Response,
  error: ServiceError,
  extraHeaders: readonly string[] = [],
): void => {
  const { status, headers, body } = errorResponse(req, error)
  req.failure = error
  res.writeHead(status, [...headers, ...extraHeaders])
  res.end(body)
}

/** The lines of a flat array of headers. */
export const headerLines = (headers: readonly string[]): string[] =>
  headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []))

/** An error as an HTTP/1.1 response for a raw socket, which must be closed after it. `path` is that of the request, when it is known. */
export const rawErrorResponse = (error: ServiceError, requestId: string, path = '/'): string => {
  const { status, headers, body } = errorResponse({ id: requestId, path }, error)
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close', ...headerLines(headers)]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

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
