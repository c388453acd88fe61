/**
 * English by pocketsphinx, in a few processes that each hear one utterance at a time.
 *
 * - An utterance belongs to a free process from its first sample, so that most of it is decoded when it ends. With none
 *   free it waits, its audio kept, and is caught up with several times faster than it lasted.
 * - Whoever gives an utterance up frees its process at once.
 * - Processes are started when there is something to hear, and end when there was nothing for long: each takes about 170 MB.
 * - A process that is gone takes its utterance with it; the next has another.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import type { Acoustics } from '@parlance/engine-protocol'
import type { Logger } from '@parlance/telemetry'
import { openRecognitionProcess, type RecognitionProcess } from './recognition-process.js'
import type { Recognizer } from './recognizer.js'
import { createUtterance, type Utterance } from './utterance.js'

export interface PocketsphinxOptions {
  readonly logger: Logger
  /** As many as are started at most; one for each core when not given. */
  readonly processes?: number | undefined
  /** Utterances that may wait for each process; the next one fails. Default 8. */
  readonly waitingPerProcess?: number
  /** Of an utterance; the rest is not listened to. Default 120,000. */
  readonly longestMs?: number
  /** From the end of an utterance to its text. Default 10,000. */
  readonly finishTimeoutMs?: number
  /** From when an utterance is given up to when a process that still hears it is replaced. Default 2,000. */
  readonly cancelTimeoutMs?: number
  /** A process that heard nothing for so long ends. Default 300,000. */
  readonly idleMs?: number
  /** Default: that of the package. */
  readonly command?: readonly [string, ...string[]]
}

interface Speech {
  readonly utterance: Utterance
  readonly speaker: object
}

const startTimeoutMs = 30_000

const ownCommand = (): readonly [string, ...string[]] => [
  process.execPath,
  ...['--max-semi-space-size=1', '--max-old-space-size=64'],
  fileURLToPath(import.meta.resolve('@parlance/engine-pocketsphinx/main')),
]

const noRoom = () =>
  new ServiceError('capacity_exhausted', 'The speech recognition has no room at the moment. Try again.')
const doesNotStart = (cause: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition does not start. Try again later.', { cause })
const draining = () => new ServiceError('draining', 'The service is shutting down. Try again.')

/**
 * Resolves when a process was seen to start. Rejects when it does not, and with a `RecognitionUnavailableError`, which says
 * what to install, where pocketsphinx is not on the machine.
 */
export const openPocketsphinxRecognizer = async ({
  logger,
  processes: mostProcesses = availableParallelism(),
  waitingPerProcess = 8,
  longestMs = 120_000,
  finishTimeoutMs = 10_000,
  cancelTimeoutMs = 2000,
  idleMs = 300_000,
  command = ownCommand(),
}: PocketsphinxOptions): Promise<Recognizer> => {
  const closing = new AbortController()
  const processes = new Set<RecognitionProcess>()
  const starting = new Set<Promise<void>>()
  /** Each with the timer that ends it. */
  const idle: { readonly process: RecognitionProcess; readonly timer: NodeJS.Timeout }[] = []
  const hearing = new Set<Utterance>()
  let waiting: Speech[] = []
  /** What is known of those who have spoken. */
  const voices = new WeakMap<object, Acoustics>()

  const openProcess = () => openRecognitionProcess({ command, logger, startTimeoutMs, cancelTimeoutMs }, closing.signal)

  const start = () => {
    const started = openProcess().then(
      (process) => {
        starting.delete(started)
        processes.add(process)
        process.gone.addEventListener('abort', () => leave(process), { once: true })
        rest(process)
      },
      (error: unknown) => {
        starting.delete(started)
        if (closing.signal.aborted) return
        logger.error({ err: error }, 'A recognition process could not be started')
        if (processes.size === 0) failWaiting(doesNotStart(error))
      },
    )
    starting.add(started)
  }

  const rest = (process: RecognitionProcess) => {
    if (process.gone.aborted || closing.signal.aborted) return
    const end = () => {
      leaveIdle(process)
      void process.close()
    }
    idle.push({ process, timer: setTimeout(end, idleMs).unref() })
    assign()
  }
  const leaveIdle = (process: RecognitionProcess) => {
    const place = idle.findIndex((one) => one.process === process)
    if (place !== -1) clearTimeout(idle.splice(place, 1)[0]!.timer)
  }
  const leave = (process: RecognitionProcess) => {
    processes.delete(process)
    leaveIdle(process)
    if (!closing.signal.aborted) assign()
  }

  const hear = async (process: RecognitionProcess, { utterance, speaker }: Speech) => {
    leaveIdle(process)
    hearing.add(utterance)
    const acoustics = await utterance.hearBy(process, voices.get(speaker) ?? null)
    if (acoustics !== undefined) voices.set(speaker, acoustics)
    hearing.delete(utterance)
    rest(process)
  }

  const mayStart = () => processes.size + starting.size < mostProcesses

  /** Gives what waits to those that are free, the latest first so that the others may end, and starts more as needed. */
  const assign = () => {
    waiting = waiting.filter(({ utterance }) => !utterance.isSettled())
    while (idle.length > 0 && waiting.length > 0) void hear(idle.at(-1)!.process, waiting.shift()!)
    while (starting.size < waiting.length && mayStart()) start()
  }
  const failWaiting = (error: ServiceError) => {
    for (const { utterance } of waiting.splice(0)) utterance.fail(error)
  }

  // That it starts is seen now; that it is wanted, only when somebody speaks.
  await (await openProcess()).close()

  return {
    name: 'pocketsphinx',
    languages: ['en'],
    warmUp: () => {
      if (idle.length + starting.size === 0 && mayStart()) start()
    },
    open: (options) => {
      const utterance = createUtterance(options, { longestMs, finishTimeoutMs })
      waiting.push({ utterance, speaker: options.speaker ?? utterance })
      if (closing.signal.aborted) failWaiting(draining())
      else assign()
      if (waiting.length > waitingPerProcess * mostProcesses) waiting.pop()!.utterance.fail(noRoom())
      return utterance.recognition
    },
    close: async () => {
      closing.abort()
      failWaiting(draining())
      for (const utterance of hearing) utterance.fail(draining())
      await Promise.all(starting)
      await Promise.all([...processes].map((process) => process.close()))
    },
  }
}
