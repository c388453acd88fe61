/** Serves the operator's commands of `npx parlance` through a socket in the data folder, as NATS does where services run apart. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Bus, type CallOptions, createClient, maxMessageBytes } from '@parlance/bus'
import {
  agentTestMethods,
  authContract,
  type Contract,
  creditContract,
  errorBody,
  modelProvidersContract,
  peopleContract,
  ServiceError,
  sessionsContract,
  tokensContract,
  toServiceError,
} from '@parlance/contracts'
import type { Platform, Service } from '@parlance/runtime'
import { isOperatorSocketAnswered, operatorDeadlineMs, operatorSocketPath } from '@parlance/runtime/installation'
import { z } from 'zod'

type RawCall = (request: unknown, options: CallOptions) => Promise<Uint8Array>

/** The calls that an operator may make, by path: those of four contracts, and of others what tests of Agents need. */
const callsOn = (bus: Bus): ReadonlyMap<string, RawCall> => {
  const callsOf = (contract: Contract) =>
    Object.entries<RawCall>(createClient(bus, contract).raw as Record<string, RawCall>).map(([method, call]) => ({
      path: `/${contract.name}/${method}`,
      method,
      call,
    }))
  const calls = [
    ...[authContract, creditContract, modelProvidersContract, peopleContract].flatMap(callsOf),
    ...callsOf(sessionsContract).filter(({ method }) => isOneOf(agentTestMethods.sessions, method)),
    ...callsOf(tokensContract).filter(({ method }) => isOneOf(agentTestMethods.tokens, method)),
  ]
  return new Map(calls.map(({ path, call }) => [path, call]))
}

const isOneOf = (methods: readonly string[], method: string): boolean => methods.includes(method)

/** Rejects with `invalid_json`, or with `payload_too_large` for a body that is larger than a message of the bus. */
const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let bytes = 0
  // A body that is too large is read to its end, since a client that still writes does not read the response.
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

const sendJson = (response: ServerResponse, status: number, body: Uint8Array | string): void => {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
}

/**
 * `POST /<contract>/<method>` with a request as JSON makes that call on the bus. The response is the reply as the service wrote
 * it, or an error body. The server does not authenticate: only the operator can reach the socket.
 */
const createOperatorServer = ({ bus, logger }: Platform): Server => {
  const calls = callsOn(bus)

  const answer = async (request: IncomingMessage, requestId: string): Promise<Uint8Array> => {
    const path = request.url ?? ''
    const call = request.method === 'POST' ? calls.get(path) : undefined
    if (call === undefined) throw new ServiceError('not_found', 'There is no such call.')
    const body = await readJson(request)
    logger.info({ requestId, route: path }, 'An operator calls a method')
    return call(body, { context: { requestId }, deadlineMs: operatorDeadlineMs })
  }

  return createServer((request, response) => {
    const requestId = randomUUID()
    answer(request, requestId).then(
      (reply) => sendJson(response, 200, reply),
      (thrown: unknown) => {
        const error = toServiceError(thrown)
        // An error with a cause is not the operator's fault.
        if (error.cause !== undefined) logger.warn({ requestId, err: error }, 'A call of an operator failed')
        sendJson(response, error.status, JSON.stringify(errorBody(error, requestId)))
      },
    )
  })
}

/** Only this user may open the socket, from the moment it exists: a client that connects may do everything. */
const listen = async (server: Server, path: string): Promise<void> => {
  const listening = once(server, 'listening')
  const before = process.umask(0o177)
  // The file is created before this returns.
  server.listen(path)
  process.umask(before)
  await listening
}

/** Serves `npx parlance` in the same folder. If it cannot, it logs why, and the services run nevertheless. */
export const createOperator = (dataFolder: string): Service => ({
  name: 'operator',
  needs: [],
  env: z.object({}),
  async start(platform) {
    const withoutSocket = (reason: string, err?: unknown) => {
      platform.logger.warn({ folder: dataFolder, err }, reason)
      return { ready: () => true, stop: () => Promise.resolve() }
    }
    const path = operatorSocketPath(dataFolder)
    if (path === undefined) return withoutSocket('The path of the data folder is too deep for npx parlance to connect')
    const server = createOperatorServer(platform)
    try {
      if (await isOperatorSocketAnswered(path)) {
        return withoutSocket('Another process serves npx parlance for this data folder')
      }
      await mkdir(dataFolder, { recursive: true })
      await rm(path, { force: true })
      await listen(server, path)
    } catch (err) {
      return withoutSocket('npx parlance cannot connect to this process', err)
    }
    return {
      ready: () => true,
      async stop() {
        const closed = once(server, 'close')
        // Removes the file too.
        server.close()
        await closed
      },
    }
  },
})
