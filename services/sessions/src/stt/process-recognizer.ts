/**
 * Speech recognition in a few processes of a kind that each hear one utterance at a time.
 *
 * - An utterance belongs to a free process from its first sample, so that most of it is decoded when it ends; or from its
 *   end, where the process understands nothing before that. With none free it waits, its audio kept, and is caught up with
 *   several times faster than it lasted.
 * - Whoever gives an utterance up frees its process at once.
 * - Processes are started when there is something to hear, and end when there was nothing for long: each takes memory.
 * - A process that is gone takes its utterance with it; the next has another.
 */
import { ServiceError } from '@parlance/contracts'
import type { Acoustics } from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import { draining, noRoom } from './recognition-failure.js'
import { openRecognitionProcess, type RecognitionProcess } from './recognition-process.js'
import type { Recognizer } from './recognizer.js'
import { createUtterance, type Utterance } from './utterance.js'

export interface ProcessRecognizerOptions {
  readonly name: string
  readonly logger: Logger
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** As many as are started at most. */
  readonly processes: number
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
  /** How long a process may take to start. Default 30,000. */
  readonly startTimeoutMs?: number
}

interface Speech {
  readonly utterance: Utterance
  readonly language: string
  readonly speaker: object
}

const doesNotStart = (cause: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition does not start. Try again later.', { cause })

/**
 * Resolves when a process was seen to start. Rejects when it does not, and with an `EngineUnavailableError`, which says
 * what is missing, where it cannot hear on this machine.
 */
export const openProcessRecognizer = async ({
  name,
  logger,
  command,
  processes: mostProcesses,
  waitingPerProcess = 8,
  longestMs = 120_000,
  finishTimeoutMs = 10_000,
  cancelTimeoutMs = 2000,
  idleMs = 300_000,
  startTimeoutMs = 30_000,
}: ProcessRecognizerOptions): Promise<Recognizer> => {
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
        logger.error({ err: error }, 'An engine process could not be started')
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

  const hear = async (process: RecognitionProcess, { utterance, language, speaker }: Speech) => {
    leaveIdle(process)
    hearing.add(utterance)
    const command = { language, acoustics: voices.get(speaker) ?? null }
    const acoustics = await utterance.hearBy((onText) => process.begin(command, onText))
    if (acoustics !== undefined) voices.set(speaker, acoustics)
    hearing.delete(utterance)
    rest(process)
  }

  const mayStart = () => processes.size + starting.size < mostProcesses

  /** Gives what waits to those that are free, the latest first so that the others may end, and starts more as needed. */
  const assign = () => {
    waiting = waiting.filter(({ utterance }) => !utterance.settled.aborted)
    while (idle.length > 0 && waiting.length > 0) void hear(idle.at(-1)!.process, waiting.shift()!)
    while (starting.size < waiting.length && mayStart()) start()
  }
  const enqueue = (speech: Speech) => {
    waiting.push(speech)
    if (closing.signal.aborted) failWaiting(draining())
    else assign()
    if (waiting.length > waitingPerProcess * mostProcesses) waiting.pop()!.utterance.fail(noRoom())
  }
  const failWaiting = (error: ServiceError) => {
    for (const { utterance } of waiting.splice(0)) utterance.fail(error)
  }

  // That it starts is seen now; that it is wanted, only when somebody speaks.
  const first = await openProcess()
  await first.close()

  return {
    name,
    languages: first.hello.languages,
    warmUp: () => {
      // The one that is taken next: it must not end just before that.
      idle.at(-1)?.timer.refresh()
      if (idle.length + starting.size === 0 && mayStart()) start()
    },
    open: (options) => {
      const utterance = createUtterance(options, { longestMs, finishTimeoutMs })
      const { recognition } = utterance
      const speech = { utterance, language: options.language, speaker: options.speaker ?? utterance }
      if (first.hello.streaming) {
        enqueue(speech)
        return recognition
      }
      const finish = () => {
        enqueue(speech)
        return recognition.finish()
      }
      return { ...recognition, finish }
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
