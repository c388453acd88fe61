import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type Bus, type CallOptions, createClient } from '@parlance/bus'
import { authContract, creditContract, modelProvidersContract, peopleContract, ServiceError } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import { operatorDeadlineMs } from '@parlance/runtime/installation'
import type { ModelInstaller } from '../models/model-installer.js'
import { readJson, sendError, sendJson } from './http-body.js'
import { answerAboutModels, isAboutModels } from './operator-models.js'

type RawCall = (request: unknown, options: CallOptions) => Promise<Uint8Array>

/** All that an operator may ask of services, by path: the calls of these contracts and no others. */
const callsOn = (bus: Bus): ReadonlyMap<string, RawCall> =>
  new Map(
    [authContract, creditContract, modelProvidersContract, peopleContract].flatMap((contract) =>
      Object.entries<RawCall>(createClient(bus, contract).raw as Record<string, RawCall>).map(
        ([method, call]) => [`/${contract.name}/${method}`, call] as const,
      ),
    ),
  )

/**
 * `POST /<contract>/<method>` with a request as JSON is that call on the bus: the answer is the reply as the service
 * wrote it, or an error body. `/operator/models` is about the models of this installation. The server does not authenticate:
 * only the operator can reach the socket.
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
