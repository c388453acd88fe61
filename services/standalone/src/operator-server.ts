import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Bus, type CallOptions, createClient, maxMessageBytes } from '@parlance/bus'
import {
  agentTestMethods,
  authContract,
  type Contract,
  creditContract,
  errorBody,
  invalidRequest,
  modelProvidersContract,
  peopleContract,
  ServiceError,
  sessionsContract,
  tokensContract,
  toServiceError,
} from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import { operatorDeadlineMs } from '@parlance/runtime/installation'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import type { ModelInstaller } from './models/model-installer.js'

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

/**
 * `POST /<contract>/<method>` with a request as JSON makes that call on the bus. The response is the reply as the service wrote
 * it, or an error body. The models of this installation have routes of their own:
 *
 * - `GET /operator/models` lists them.
 * - `POST /operator/models` installs one of the catalog, and sends a line of JSON for each event. The installation stops when the
 *   client hangs up; downloaded files stay for the next one.
 * - `DELETE /operator/models/<name>` removes one.
 *
 * The server does not authenticate: only the operator can reach the socket.
 */
export const createOperatorServer = (
  { bus, logger }: Pick<Platform, 'bus' | 'logger'>,
  installer: ModelInstaller,
): Server => {
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
    const answered = isAboutModels(request)
      ? answerAboutModels(request, response, installer)
      : answer(request, requestId).then((reply) => sendJson(response, 200, reply))
    answered.catch((thrown: unknown) => sendError(response, thrown, requestId, logger))
  })
}

const path = '/operator/models'

const installRequest = z.strictObject({
  name: z.string().min(1).max(100),
  accept_license: z.boolean().default(false),
  /** A URL under which the files are instead, each by the last segment of its own URL. */
  mirror: z.url({ protocol: /^https?$/ }).optional(),
})

const isAboutModels = ({ url = '' }: IncomingMessage): boolean => url === path || url.startsWith(`${path}/`)

const parseBody = async (request: IncomingMessage): Promise<z.output<typeof installRequest>> => {
  const parsed = installRequest.safeParse(await readJson(request))
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
}

const install = async (request: IncomingMessage, response: ServerResponse, installer: ModelInstaller) => {
  const { name, accept_license: acceptsLicense, mirror } = await parseBody(request)
  const hungUp = new AbortController()
  response.once('close', () => hungUp.abort())
  await installer.install(
    { name, acceptsLicense, mirror },
    (event) => {
      // The first event is the status: an installation that is refused before has an error instead.
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' })
      }
      response.write(`${JSON.stringify(event)}\n`)
    },
    hungUp.signal,
  )
  response.end()
}

const nameIn = (url: string): string => {
  try {
    return decodeURIComponent(url.slice(path.length + 1))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The name is not encoded as in an address.', { cause })
  }
}

/** Answers a request about models. Rejects with `ServiceError`; the response may have begun then. */
const answerAboutModels = async (
  request: IncomingMessage,
  response: ServerResponse,
  installer: ModelInstaller,
): Promise<void> => {
  const { method, url = '' } = request
  const isOne = url !== path
  if (method === 'GET' && !isOne) return sendJson(response, 200, JSON.stringify({ models: await installer.list() }))
  if (method === 'POST' && !isOne) return install(request, response, installer)
  if (method === 'DELETE' && isOne) {
    const name = nameIn(url)
    await installer.remove(name)
    return sendJson(response, 200, JSON.stringify({ name, removed: true }))
  }
  throw new ServiceError('not_found', 'There is no such call.')
}

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

/** Sends the error, as the last line if the response has begun, and logs what is not the operator's fault. */
const sendError = (response: ServerResponse, thrown: unknown, requestId: string, logger: Logger): void => {
  const error = toServiceError(thrown)
  if (error.cause !== undefined) logger.warn({ requestId, err: error }, 'A call of an operator failed')
  const body = JSON.stringify(errorBody(error, requestId))
  if (response.headersSent) response.end(`${body}\n`)
  else sendJson(response, error.status, body)
}
