import type { ServiceError } from '@parlance/contracts'
import { errorBody } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { apiHeaders, jsonType } from './json-response.js'

/** How long a caller should wait before it tries again, in seconds. */
const retryAfterSeconds = '1'

const headersOfStatus = new Map<number, readonly string[]>([
  [401, ['www-authenticate', 'Bearer']],
  [429, ['retry-after', retryAfterSeconds]],
  [503, ['retry-after', retryAfterSeconds]],
])

/** What is sent for an error, whoever sends it: the status, the headers as a flat array, and the five keys as JSON. */
export const errorResponse = (error: ServiceError, requestId: string) => {
  const body = JSON.stringify(errorBody(error, requestId))
  const headers = apiHeaders(requestId, jsonType, 'no-store')
  headers.push('content-length', String(Buffer.byteLength(body)), ...(headersOfStatus.get(error.status) ?? []))
  return { status: error.status, headers, body }
}

/** `extraHeaders` is a flat array. */
export const sendError = (
  req: Request,
  res: Response,
  error: ServiceError,
  extraHeaders: readonly string[] = [],
): void => {
  const { status, headers, body } = errorResponse(error, req.id)
  req.failure = error
  res.writeHead(status, [...headers, ...extraHeaders])
  res.end(body)
}
