/**
 * English by pocketsphinx, in a few processes that each hear one utterance at a time.
 *
 * - An utterance belongs to a free process from its first sample, so that most of it is decoded when it ends. With none
 *   free it waits, its audio kept, and is caught up with several times faster than it lasted.
 * - Whoever gives an utterance up frees its process at once.
 * - A process that is gone takes its utterance with it and is replaced.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { openRecognitionProcess, type RecognitionProcess, RecognitionUnavailableError } from './recognition-process.js'
import type { Recognizer } from './recognizer.js'
import { createUtterance, type Utterance } from './utterance.js'

export interface PocketsphinxOptions {
  readonly logger: Logger
  /** One for each core when not given; each takes about 170 MB. */
  readonly processes?: number | undefined
  /** Utterances that may wait for each process; the next one fails. Default 8. */
  readonly waitingPerProcess?: number
  /** Of an utterance; the rest is not listened to. Default 120,000. */
  readonly longestMs?: number
  /** From the end of an utterance to its text. Default 10,000. */
  readonly finishTimeoutMs?: number
  /** From when an utterance is given up to when a process that still hears it is replaced. Default 2,000. */
  readonly cancelTimeoutMs?: number
  /** Default: that of the package. */
  readonly command?: readonly [string, ...string[]]
}

const startTimeoutMs = 30_000
const maxDelayMs = 10_000

/** How long to wait before a process is replaced that was the `failures`th in a row not to start. */
const replacementDelayMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(100 * 2 ** failures, maxDelayMs)

const ownCommand = (): readonly [string, ...string[]] => [
  process.execPath,
  ...['--max-semi-space-size=1', '--max-old-space-size=64'],
  fileURLToPath(import.meta.resolve('@parlance/engine-pocketsphinx/main')),
]

/**
 * Resolves when the first process can hear, the others follow; or when it could not be started, and then every utterance
 * fails until one can. Rejects with a `RecognitionUnavailableError`, which says what
 * to install, where pocketsphinx is not on the machine.
 */
export const openPocketsphinxRecognizer = async ({
  logger,
  processes = availableParallelism(),
  waitingPerProcess = 8,
  longestMs = 120_000,
  finishTimeoutMs = 10_000,
  cancelTimeoutMs = 2000,
  command = ownCommand(),
}: PocketsphinxOptions): Promise<Recognizer> => {
  const closing = new AbortController()
  const idle: RecognitionProcess[] = []
  const waiting: Utterance[] = []
  const hearing = new Set<Utterance>()
  let running = 0
  let starts = true

  const hear = async (process: RecognitionProcess, utterance: Utterance) => {
    hearing.add(utterance)
    await utterance.hearBy(process)
    hearing.delete(utterance)
    if (process.gone.aborted) return
    idle.push(process)
    assign()
  }
  const assign = () => {
    while (idle.length > 0) {
      const utterance = waiting.shift()
      if (utterance === undefined) return
      if (!utterance.isSettled()) void hear(idle.shift()!, utterance)
    }
  }
  const failWaiting = (error: () => ServiceError) => {
    for (const utterance of waiting.splice(0)) utterance.fail(error())
  }
  const doesNotStart = () =>
    new ServiceError('upstream_error', 'The speech recognition does not start. Try again later.')
  const draining = () => new ServiceError('draining', 'The service is shutting down. Try again.')

  /** Resolves when the process is gone. */
  const serve = async (process: RecognitionProcess) => {
    running++
    starts = true
    const gone = new Promise<void>((resolve) => process.gone.addEventListener('abort', () => resolve()))
    const close = () => void process.close()
    closing.signal.addEventListener('abort', close, { once: true })
    if (closing.signal.aborted) close()
    if (!process.gone.aborted) {
      idle.push(process)
      assign()
      await gone
    }
    closing.signal.removeEventListener('abort', close)
    running--
    const place = idle.indexOf(process)
    if (place !== -1) idle.splice(place, 1)
  }

  /** Keeps one process running until all is closed. */
  const keepRunning = async (onTried: () => void, onUnavailable: (error: unknown) => void) => {
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        const process = await openRecognitionProcess(
          { command, logger, startTimeoutMs, cancelTimeoutMs },
          closing.signal,
        )
        failures = 0
        onTried()
        await serve(process)
        if (!closing.signal.aborted) logger.warn({}, 'A recognition process ended and is replaced')
      } catch (error) {
        if (closing.signal.aborted) return
        if (error instanceof RecognitionUnavailableError) onUnavailable(error)
        failures++
        logger.error({ err: error, attempt: failures }, 'A recognition process could not be started')
        if (running === 0) {
          starts = false
          failWaiting(doesNotStart)
        }
        onTried()
      }
      await delay(replacementDelayMs(failures), undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  let slots: Promise<void>[] = []
  const close = async () => {
    closing.abort()
    failWaiting(draining)
    for (const utterance of hearing) utterance.fail(draining())
    await Promise.all(slots)
  }

  await new Promise<void>((resolve, reject) => {
    slots = Array.from({ length: processes }, () => keepRunning(resolve, reject))
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })

  return {
    name: 'pocketsphinx',
    languages: ['en'],
    open: (options) => {
      const utterance = createUtterance(options, { longestMs, finishTimeoutMs })
      const waitingNow = waiting.filter((other) => !other.isSettled())
      waiting.splice(0, waiting.length, ...waitingNow)
      if (closing.signal.aborted) utterance.fail(draining())
      else if (!starts) utterance.fail(doesNotStart())
      else if (idle.length === 0 && waiting.length >= waitingPerProcess * processes) {
        utterance.fail(
          new ServiceError('capacity_exhausted', 'The speech recognition has no room at the moment. Try again.'),
        )
      } else {
        waiting.push(utterance)
        assign()
      }
      return utterance.recognition
    },
    close,
  }
}
