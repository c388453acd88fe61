import { ServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { type Environment, parseEnvironment } from './environment.js'
import { checkReadiness, openHealthServer } from './health.js'
import { natsProblems } from './nats/index.js'
import { openPlatform } from './platform.js'
import { missingAddresses, platformEnvironmentSchema } from './platform-environment.js'
import { StartupError } from './process/index.js'
import { createSecretReader } from './secret.js'
import type { Platform, RunningService, Service } from './service.js'

interface ListenError {
  code: string
  syscall: string
  port: number
  address?: string
}

const isListenError = (error: unknown): error is ListenError =>
  typeof error === 'object' && (error as Partial<ListenError> | null)?.syscall === 'listen'

/**
 * Explains how to fix a port that cannot be bound; returns any other error unchanged. `variable` sets the port, `command`
 * started the process.
 */
const explainListenError = (error: unknown, variable: string, command: string): unknown => {
  if (!isListenError(error)) return error
  const { code, port, address } = error
  const another = (choice: number) => `Choose another: ${`${variable}=${choice} ${command}`.trim()}`
  const lines: Partial<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. ${another(port < 65535 ? port + 1 : 8080)}`,
    EACCES: `This user may not listen on port ${port}. ${another(port < 1024 ? 8080 : port + 1)}`,
    EADDRNOTAVAIL: `${address} is not an address of this machine. Choose another with HOST, e.g. HOST=127.0.0.1.`,
  }
  const line = lines[code]
  return line === undefined ? error : new StartupError([line], { cause: error })
}

interface StartOptions {
  environment: Environment
  logger: Logger
  /** The command that started the process, for advice such as `PORT=8081 npm start`. */
  command?: string
  /** Aborted when the start is no longer wanted. */
  signal?: AbortSignal
}

const readEnvironment = (services: readonly Service[], environment: Environment) => {
  const { values, problems } = parseEnvironment(
    [platformEnvironmentSchema, ...services.map((service) => service.env)],
    environment,
  )
  const lines = [...problems, ...natsProblems(environment), ...missingAddresses(services, environment)]
  if (lines.length > 0) throw new StartupError(lines)
  return values
}

/**
 * Starts the services in the given order on one platform. Rejects with `StartupError` for an error that the operator can
 * fix. When a start fails or is aborted, all that had started is stopped before it rejects.
 */
export const startServices = async (
  services: readonly Service[],
  { environment, logger, command = '', signal }: StartOptions,
) => {
  const [platformEnvironment, ...serviceEnvironments] = readEnvironment(services, environment)
  const { platform: base, close } = await openPlatform(services, platformEnvironment, logger, signal)
  const running = new Map<string, RunningService>()
  const closers = [close]
  let stopped: Promise<void> | undefined

  const platform: Platform = {
    ...base,
    readSecret: createSecretReader(environment),
    async readiness() {
      const { ready, checks } = await checkReadiness(base, services, running)
      return { ready: ready && stopped === undefined, checks }
    },
  }

  /** The logger of a service that runs alone already names it. */
  const loggerOf = (service: string) => (services.length === 1 ? logger : logger.child({ service }))

  const drain = async (name: string, service: RunningService) => {
    await service.drain?.().catch((err: unknown) => loggerOf(name).error({ err }, 'The service did not drain cleanly'))
  }

  const stopAll = async () => {
    const draining = [...running].map(([name, service]) => ({ name, service, drained: drain(name, service) }))
    for (const { name, service, drained } of draining.reverse()) {
      const ownLogger = loggerOf(name)
      const begunMs = performance.now()
      await drained
      await service.stop().catch((err: unknown) => ownLogger.error({ err }, 'The service did not stop cleanly'))
      ownLogger.info({ durationMs: Math.round(performance.now() - begunMs) }, 'service stopped')
    }
    for (const closeNext of closers.reverse()) await closeNext()
  }
  const stop = () => {
    stopped ??= stopAll()
    return stopped
  }

  /** The detail of a `ServiceError` is also meant for operators, since it states what to do. */
  const explain = (error: unknown): unknown =>
    error instanceof ServiceError
      ? new StartupError([error.detail], { cause: error })
      : explainListenError(error, 'PORT', command)

  const startOne = async (service: Service, env: unknown) => {
    signal?.throwIfAborted()
    const begunMs = performance.now()
    const ownLogger = loggerOf(service.name)
    running.set(service.name, await service.start({ ...platform, logger: ownLogger }, env))
    ownLogger.info({ durationMs: Math.round(performance.now() - begunMs) }, 'service started')
  }

  try {
    const { HEALTH_PORT, HOST } = platformEnvironment
    if (HEALTH_PORT !== undefined) {
      const health = await openHealthServer({ port: HEALTH_PORT, host: HOST }, platform).catch((error: unknown) => {
        throw explainListenError(error, 'HEALTH_PORT', command)
      })
      closers.push(health.close)
    }
    for (const [index, service] of services.entries()) await startOne(service, serviceEnvironments[index])
    signal?.throwIfAborted()
  } catch (error) {
    await stop()
    throw explain(error)
  }
  const drainTimesMs = services.map((service, index) => service.drainMs?.(serviceEnvironments[index]) ?? 0)
  return {
    platform,
    /** The longest drain time of the services, in ms; 0 if none has one. */
    drainMs: Math.max(0, ...drainTimesMs),
    /** Drains all services at once, stops them in reverse order, then closes the platform. */
    stop,
  }
}

export type Running = Awaited<ReturnType<typeof startServices>>
