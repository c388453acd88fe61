import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxMessageBytes } from '@parlance/bus'
import { errorBody, ServiceError, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

/** Rejects with `invalid_json`, or with `payload_too_large` for a body that is larger than a message of the bus. */
export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // A body that is too large is read to its end as well, since a client that still writes does not read the refusal.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxMessageBytes) chunks.push(chunk)
  }
  if (bytes > maxMessageBytes) throw new ServiceError('payload_too_large', 'The request is too large.')
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new ServiceError('invalid_json', 'The request is not JSON.', { cause: error })
  }
}

/** Answers with a body that is JSON already. */
export const sendJson = (response: ServerResponse, status: number, body: Uint8Array | string): void => {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
}

/** Answers with the error, as the last line where a response has begun, and logs what is not the operator's fault. */
export const sendError = (response: ServerResponse, thrown: unknown, requestId: string, logger: Logger): void => {
  const error = toServiceError(thrown)
  if (error.cause !== undefined) logger.warn({ requestId, err: error }, 'A call of an operator failed')
  const body = JSON.stringify(errorBody(error, requestId))
  if (response.headersSent) response.end(`${body}\n`)
  else sendJson(response, error.status, body)
}
