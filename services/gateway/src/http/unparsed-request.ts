import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import { rawErrorResponse } from './error-response.js'
import { responseInProgress } from './idle-connections.js'

/** Answers a request that did not reach Express on its raw socket, and closes the socket. */
export const createUnparsedRequestAnswerer =
  (logger: Logger, metrics: Metrics) =>
  (socket: Duplex, error: ServiceError): void => {
    if (!socket.writable || responseInProgress(socket)?.headersSent) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    socket.end(rawErrorResponse(error, requestId))
    const { status } = error
    metrics.httpRequest('unparsed', undefined, status, 0)
    logger.info({ method: 'unparsed', route: 'unmatched', status, code: error.code, requestId }, 'A request ended')
  }

/** The response to an error of Node's HTTP parser. */
export const describeParseError = (error: Error & { code?: string }): ServiceError => {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('invalid_request', 'The headers are larger than 16 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('payload_too_large', 'The chunk extensions of the body are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('invalid_request', 'The request took too long to arrive.')
    default:
      return new ServiceError('invalid_request', 'This is not a valid HTTP request.')
  }
}
