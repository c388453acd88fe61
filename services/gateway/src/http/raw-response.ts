import { STATUS_CODES } from 'node:http'
import type { ServiceError } from '@parlance/contracts'
import { errorResponse } from './error-response.js'

/** An error as an HTTP/1.1 response for a raw socket, which must be closed after it. */
export const rawErrorResponse = (error: ServiceError, requestId: string): string => {
  const { status, headers, body } = errorResponse(error, requestId)
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close']
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
