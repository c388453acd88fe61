import { existsSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { orAborted } from '@parlance/async'
import { errorBodySchema, ServiceError } from '@parlance/contracts'
import type { Environment } from '@parlance/runtime'
import {
  dataFolderOf,
  isOperatorSocketAnswered,
  openStandaloneEnvironment,
  operatorDeadlineMs,
  operatorSocketPath,
} from '@parlance/runtime/installation'
import { StartupError } from '@parlance/runtime/process'
import type { Progress } from './command.js'
import { createOperatorCalls, type OperatorCalls, type SendCall } from './operator-calls.js'

/** Longer than the deadline of a call in the other process, whose error is more precise than a timeout here. */
const timeoutMs = operatorDeadlineMs + 5_000

const post = (
  socketPath: string,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, path, method: 'POST', timeout: timeoutMs, signal })
    request.once('timeout', () => request.destroy(new Error('timed out')))
    request.once('error', reject)
    request.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.end(body)
  })

/** Makes calls to the services of the process that listens at the socket. */
const createSocketOperatorCalls = (socketPath: string, signal: AbortSignal): OperatorCalls => {
  const send: SendCall = async (contract, method, request) => {
    const { status, text } = await post(
      socketPath,
      `/${contract.name}/${method}`,
      JSON.stringify(request),
      signal,
    ).catch((cause: Error) => {
      throw new ServiceError('unavailable', `The running Parlance did not respond (${cause.message}). Try again.`, {
        cause,
      })
    })
    if (status === 200) return JSON.parse(text)
    const { code, detail } = errorBodySchema.parse(JSON.parse(text))
    throw new ServiceError(code, detail)
  }
  return createOperatorCalls(send, () => Promise.resolve())
}

export interface OpenOptions {
  environment: Environment
  /** Aborted by a signal of the operator. */
  signal: AbortSignal
  /** Prints a line for people besides the result. */
  note: (line: string) => void
  progress: Progress
}

/** The bus and the services are loaded on demand, because they take longer than the rest of a command. */
const loadBusOperatorCalls = async () => {
  const { openBusOperatorCalls } = await import('./bus-operator-calls.js')
  return openBusOperatorCalls
}

const loadServices = async () => {
  const [{ auth }, { tokens }] = await Promise.all([
    import('@parlance/service-auth'),
    import('@parlance/service-tokens'),
  ])
  return [auth, tokens]
}

/** How long a command waits for other commands on the same data to end, and for an npm start to respond. */
const waitAtMostMs = 20_000
const retryEveryMs = 200

const isInUse = async (error: unknown): Promise<boolean> => {
  const { FolderInUseError } = await import('@parlance/store')
  return error instanceof StartupError && error.cause instanceof FolderInUseError
}

/**
 * Finds the services: behind `NATS_URL` if that is set, else in the process that uses the data folder. If there is none,
 * they are started in this process until the command ends. Rejects with `StartupError`.
 */
export const openOperatorCalls = async ({
  environment,
  signal,
  note,
  progress,
}: OpenOptions): Promise<OperatorCalls> => {
  if (environment.NATS_URL) {
    const openBusOperatorCalls = await loadBusOperatorCalls()
    return orAborted(openBusOperatorCalls([], environment, signal), signal)
  }

  const dataFolder = dataFolderOf(environment)
  const socket = operatorSocketPath(dataFolder)
  if (socket === undefined) {
    // A process may use the folder without being reachable. Two processes must not use the same folder.
    throw new StartupError([`The path of ${dataFolder} is too long for a socket. Choose a shorter PARLANCE_DATA.`])
  }
  for (const giveUpAtMs = performance.now() + waitAtMostMs; ; ) {
    if (await isOperatorSocketAnswered(socket)) return createSocketOperatorCalls(socket, signal)

    if (environment.DATABASE_URL) {
      // Services elsewhere that share the database would not receive the events of this command, nor share its counters.
      throw new StartupError([
        'DATABASE_URL is set, but nothing is running here. Also set NATS_URL, to reach the services on that database, or run npm start.',
      ])
    }
    if (!existsSync(dataFolder)) note(`Parlance was never started here. Creating ${dataFolder} for its data.`)
    progress('Starting the database …')
    const { environment: standalone } = await openStandaloneEnvironment(environment)
    try {
      const openBusOperatorCalls = await loadBusOperatorCalls()
      return await openBusOperatorCalls(await loadServices(), standalone, signal)
    } catch (error) {
      if (!(await isInUse(error))) throw error
      if (performance.now() > giveUpAtMs) {
        throw new StartupError([
          `Another process uses ${dataFolder} and does not respond. Wait until it has ended, or end it; then run this again.`,
        ])
      }
    }
    progress('Waiting for another command to end …')
    await delay(retryEveryMs, undefined, { signal })
  }
}

/**
 * Calls to services that run: behind `NATS_URL`, or in the process that uses the data folder. Undefined when none are
 * running.
 */
export const openRunningCalls = async ({
  environment,
  signal,
}: Pick<OpenOptions, 'environment' | 'signal'>): Promise<OperatorCalls | undefined> => {
  if (environment.NATS_URL) {
    const openBusOperatorCalls = await loadBusOperatorCalls()
    return orAborted(openBusOperatorCalls([], environment, signal), signal)
  }
  const socket = operatorSocketPath(dataFolderOf(environment))
  const isAnswered = socket !== undefined && (await isOperatorSocketAnswered(socket))
  return isAnswered ? createSocketOperatorCalls(socket, signal) : undefined
}
