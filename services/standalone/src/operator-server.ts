import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Bus, type CallOptions, createClient, maxMessageBytes } from '@parlance/bus'
import { authContract, creditContract, errorBody, ServiceError, toServiceError } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import { operatorDeadlineMs } from '@parlance/runtime/installation'

type RawCall = (request: unknown, options: CallOptions) => Promise<Uint8Array>

/** All that an operator may ask, by path: the calls of these contracts and no others. */
const callsOn = (bus: Bus): ReadonlyMap<string, RawCall> =>
  new Map(
    [authContract, creditContract].flatMap((contract) =>
      Object.entries<RawCall>(createClient(bus, contract).raw as Record<string, RawCall>).map(
        ([method, call]) => [`/${contract.name}/${method}`, call] as const,
      ),
    ),
  )

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // Read to its end also when it is too much: who still writes would not read why.
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

const send = (response: ServerResponse, status: number, body: Uint8Array): void => {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
}

/**
 * `POST /<contract>/<method>` with a request as JSON is that call on the bus: the answer is the reply as the service
 * wrote it, or an error body. It does not authenticate: only the operator can reach the socket.
 */
export const createOperatorServer = ({ bus, logger }: Pick<Platform, 'bus' | 'logger'>): Server => {
  const calls = callsOn(bus)

  const answer = async (request: IncomingMessage, requestId: string): Promise<Uint8Array> => {
    const path = request.url ?? ''
    const call = request.method === 'POST' ? calls.get(path) : undefined
    if (call === undefined) throw new ServiceError('not_found', 'There is no such call.')
    const body = await readBody(request)
    logger.info({ requestId, route: path }, 'an operator calls')
    return call(body, { context: { requestId }, deadlineMs: operatorDeadlineMs })
  }

  return createServer((request, response) => {
    const requestId = randomUUID()
    answer(request, requestId).then(
      (reply) => send(response, 200, reply),
      (thrown: unknown) => {
        const error = toServiceError(thrown)
        if (error.cause !== undefined) logger.warn({ requestId, err: error }, 'an operator’s call failed')
        send(response, error.status, Buffer.from(JSON.stringify(errorBody(error, requestId))))
      },
    )
  })
}
