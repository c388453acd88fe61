import { existsSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { orAborted } from '@parlance/async'
import type { Bus } from '@parlance/bus'
import { errorBodySchema, ServiceError } from '@parlance/contracts'
import {
  dataFolderOf,
  type Environment,
  isOperatorSocketAnswered,
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

type StartServices = (
  environment: Environment,
  signal: AbortSignal,
) => Promise<{ readonly bus: Bus; stop(): Promise<void> } | undefined>

export interface OpenOptions {
  environment: Environment
  /** Aborted by a signal of the operator. */
  signal: AbortSignal
  /**
   * Starts the services that commands call in this process, on the data folder. Resolves to undefined while another process uses the
   * folder. Undefined where there are no services to start.
   */
  startServices?: StartServices | undefined
  /** Prints a line for people besides the result. */
  note: (line: string) => void
  progress: Progress
}

/** The bus is loaded on demand, because that takes longer than the rest of a command. */
const openNatsCalls = async (environment: Environment, signal: AbortSignal) => {
  const { openNatsOperatorCalls } = await import('./bus-operator-calls.js')
  return orAborted(openNatsOperatorCalls(environment, signal), signal)
}

/** Whether the profile reaches the API alone. What runs in this folder is then another installation. */
const hasKeyAlone = ({ PARLANCE_PROFILE, PARLANCE_DATA }: Environment): boolean =>
  Boolean(PARLANCE_PROFILE) && !PARLANCE_DATA

/** How long a command waits for other commands on the same data to end, and for an npm start to respond. */
const waitAtMostMs = 20_000
const retryEveryMs = 200

/**
 * Finds the services: behind `NATS_URL` if that is set, else in the process that uses the data folder. If there is none,
 * they are started in this process until the command ends, where that is possible. Rejects with `StartupError`.
 */
export const openOperatorCalls = async ({
  environment,
  signal,
  startServices,
  note,
  progress,
}: OpenOptions): Promise<OperatorCalls> => {
  if (environment.NATS_URL) return openNatsCalls(environment, signal)
  if (hasKeyAlone(environment)) {
    throw new StartupError([
      `The profile ${environment.PARLANCE_PROFILE} has an API key, which does not reach the services of operators. ` +
        'Choose a profile with NATS or a data folder, or set PARLANCE_PROFILE= for none.',
    ])
  }

  const dataFolder = dataFolderOf(environment)
  const socket = operatorSocketPath(dataFolder)
  if (socket === undefined) {
    // A process may use the folder without being reachable. Two processes must not use the same folder.
    throw new StartupError([`The path of ${dataFolder} is too long for a socket. Choose a shorter PARLANCE_DATA.`])
  }
  for (const giveUpAtMs = performance.now() + waitAtMostMs; ; ) {
    if (await isOperatorSocketAnswered(socket)) return createSocketOperatorCalls(socket, signal)

    if (startServices === undefined) {
      throw new StartupError([
        'No Parlance is running here. Set NATS_URL, or PARLANCE_DATA to the data folder of npm start, or choose a profile.',
      ])
    }
    if (environment.DATABASE_URL) {
      // Services elsewhere that share the database would not receive the events of this command, nor share its counters.
      throw new StartupError([
        'DATABASE_URL is set, but nothing is running here. Also set NATS_URL, to reach the services on that database, or run npm start.',
      ])
    }
    if (!existsSync(dataFolder)) note(`Parlance was never started here. Creating ${dataFolder} for its data.`)
    progress('Starting the database …')
    const started = await startServices(environment, signal)
    if (started !== undefined) {
      const { createBusOperatorCalls } = await import('./bus-operator-calls.js')
      return createBusOperatorCalls(started.bus, signal, started.stop)
    }
    if (performance.now() > giveUpAtMs) {
      throw new StartupError([
        `Another process uses ${dataFolder} and does not respond. Wait until it has ended, or end it; then run this again.`,
      ])
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
  if (environment.NATS_URL) return openNatsCalls(environment, signal)
  if (hasKeyAlone(environment)) return undefined
  const socket = operatorSocketPath(dataFolderOf(environment))
  const isAnswered = socket !== undefined && (await isOperatorSocketAnswered(socket))
  return isAnswered ? createSocketOperatorCalls(socket, signal) : undefined
}
