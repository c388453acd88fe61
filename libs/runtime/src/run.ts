import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { settlesWithin } from '@parlance/async'
import { createLogger } from '@parlance/telemetry'
import type { Environment } from './environment.js'
import { logLevelSchema } from './platform-environment.js'
import { exitProcess, StartupError } from './process/index.js'
import type { Service } from './service.js'
import { type Running, startServices } from './start-services.js'

/**
 * Configures V8's garbage collection for a service with some 20 MB of live data that passes audio through buffers outside of
 * the heap.
 *
 * - The heap grows to three times its live size before a full collection. The buffers count as well: with its defaults V8 ran a
 *   full collection for each 10 MB of them, several times a second, and a busy speech worker spent half of its time on that.
 * - One thread collects the young generation: it is so small that waking others costs more than it saves.
 */
export const tuneGarbageCollection = (): void => {
  setFlagsFromString('--heap-growing-percent=200')
  setFlagsFromString('--no-parallel-scavenge')
}

interface RunOptions {
  /** Default: the variables of the process. */
  environment?: Environment
  /** The command that started the process, for advice such as `PORT=8081 npm start`. */
  command?: string
  /**
   * How long services may take to finish running work: at least this, and 15 s more than the longest drain time. Default 30
   * s.
   */
  stopWithinMs?: number
}

/** The time to stop that services have after their drain time. */
const stopAfterDrainMs = 15_000

/** After an exception that was not caught, services may be broken, so they get less time to stop. */
const stopAfterFaultWithinMs = 5000

/** A terminal sends Ctrl-C to npm and to its child, and npm forwards it: a second signal so soon is the same key press. */
const samePressWithinMs = 500

const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/**
 * Starts the services, waits until the process is stopped, and exits with
 * - 0 after SIGTERM, SIGINT or the end of the terminal, when all services stopped in time,
 * - 1 when the start failed (each reason is a line on standard error), when an exception was not caught, or
 *   when the services took too long to stop,
 * - 128 and the signal's number when a second signal came: then at once.
 */
export const run = async (services: readonly Service[], options: RunOptions = {}): Promise<Running> => {
  const { environment = process.env, command, stopWithinMs = 30_000 } = options
  const abort = new AbortController()
  const logger = createLogger({
    ...(services.length === 1 && { name: services[0]!.name }),
    // `startServices` reports an invalid level.
    level: logLevelSchema.catch('info').parse(environment.LOG_LEVEL || undefined),
  })
  let endingSinceMs: number | undefined
  let gracefulStopMs = stopWithinMs

  const starting = startServices(services, { environment, logger, signal: abort.signal, ...(command && { command }) })

  /** Stops what runs, or what has started so far, then ends the process. */
  const end = async (exitCode: number, limitMs: number) => {
    endingSinceMs = performance.now()
    abort.abort()
    const stopping = starting.then(
      (running) => running.stop(),
      () => {},
    )
    const inTime = await settlesWithin(stopping, limitMs)
    if (!inTime) logger.error({ deadlineMs: limitMs }, 'Services did not stop in time')
    exitProcess(inTime ? exitCode : 1)
  }

  const onSignal = (signal: keyof typeof exitCodeOf) => {
    if (endingSinceMs === undefined) {
      logger.info({ signal }, 'The process is stopping')
      void end(0, gracefulStopMs)
    } else if (performance.now() - endingSinceMs > samePressWithinMs) {
      exitProcess(exitCodeOf[signal])
    }
  }
  const onFault = (err: unknown) => {
    // Failures of a process that is ending do not matter.
    if (endingSinceMs !== undefined) return
    logger.fatal({ err }, 'Uncaught exception')
    void end(1, stopAfterFaultWithinMs)
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  // A closed terminal; without one the signal may be ignored on purpose, as under nohup.
  if (isatty(0)) process.on('SIGHUP', onSignal)
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault)

  try {
    const running = await starting
    gracefulStopMs = Math.max(stopWithinMs, running.drainMs + stopAfterDrainMs)
    // Configured only now, because otherwise the garbage of the start would be kept.
    tuneGarbageCollection()
    return running
  } catch (error) {
    // A signal ended the start, so `end` decides the exit code.
    if (endingSinceMs !== undefined) return new Promise<never>(() => {})
    if (error instanceof StartupError) logger.debug({ err: error }, 'The start failed')
    else logger.fatal({ err: error }, 'The start failed')
    const lines = error instanceof StartupError ? error.lines : ['The start failed. The log has the reason.']
    for (const line of lines) console.error(line)
    return exitProcess(1)
  }
}
