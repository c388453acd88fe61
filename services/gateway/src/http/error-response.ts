import { STATUS_CODES } from 'node:http'
import type { ServiceError } from '@parlance/contracts'
import { errorBody } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { apiHeaders, jsonType } from './json-response.js'
import { errorBodyFor } from './openai-error.js'

/** The `Retry-After` of an error that has no time. */
const defaultRetryAfterSeconds = 1

const headersOf = (status: number, retryAfterSeconds: number): string[] => {
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

/** The response for an error: the status, the headers as a flat array, and `content` as JSON. */
export const errorResponse = (
  error: ServiceError,
  requestId: string,
  retryAfterSeconds = error.retryAfterSeconds ?? defaultRetryAfterSeconds,
  content: object = errorBody(error, requestId),
) => {
  const body = JSON.stringify(content)
  const headers = apiHeaders(requestId, jsonType, 'no-store')
  headers.push('content-length', String(Buffer.byteLength(body)), ...headersOf(error.status, retryAfterSeconds))
  return { status: error.status, headers, body }
}

/** `extraHeaders` is a flat array. */
export const sendError = (
  req: Request,
  res: Response,
  error: ServiceError,
  extraHeaders: readonly string[] = [],
): void => {
  const { status, headers, body } = errorResponse(error, req.id, res.retryAfterSeconds, errorBodyFor(req, error))
  req.failure = error
  res.writeHead(status, [...headers, ...extraHeaders])
  res.end(body)
}

/** An error as an HTTP/1.1 response for a raw socket, which must be closed after it. */
export const rawErrorResponse = (error: ServiceError, requestId: string): string => {
  const { status, headers, body } = errorResponse(error, requestId)
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close']
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
