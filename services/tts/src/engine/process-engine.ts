/**
 * An engine made of child processes, each of which speaks one utterance at a time.
 *
 * - Utterances wait in one queue for the first free process. Their order is decided by the scheduler.
 * - A process is free when it has made its audio, whether or not the audio was read.
 * - A process that ends fails the utterance that it was speaking and no other, and is replaced at once. Processes that end
 *   again and again without having spoken are replaced after increasing delays.
 * - While no process runs and none can be started, the engine is not healthy and fails utterances at once.
 */
import { availableParallelism } from 'node:os'
import { backoffMs, createQueue, type Queue, sleep } from '@parlance/async'
import { type OfferedVoice, ServiceError, type SynthesisMethod } from '@parlance/contracts'
import { EngineUnavailableError } from '@parlance/engine/client'
import type { Hello } from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import type { Engine, SpeakOptions, SpeechEvent, Utterance } from './engine.js'
import { offeredVoice } from './offered-voice.js'
import { openSpeakingProcess, type SpeakingProcess } from './speaking-process.js'

export interface ProcessEngineOptions {
  readonly name: string
  /** The program and its arguments; it speaks the engine protocol on its standard input and output. */
  readonly command: readonly [string, ...string[]]
  readonly synthesis: SynthesisMethod
  readonly logger: Logger
  /** The number of processes; by default one for each core. */
  readonly processes?: number
  /** An utterance fails when its process sends nothing for this long. Default 5,000. */
  readonly jobSilenceTimeoutMs?: number
  /** A process that has not stopped this long after a cancel is replaced. Default 500. */
  readonly cancelTimeoutMs?: number
  /** How long a process may take until its hello. Default 30,000. */
  readonly startTimeoutMs?: number
  /** A process is replaced after this many utterances; requests wait meanwhile. Default: never. */
  readonly utterancesPerProcess?: number
  /** Aborts the opening; nothing is left running then. */
  readonly signal?: AbortSignal
  /** Called when a process ended unexpectedly and is replaced. */
  readonly onReplace?: () => void
}

interface Job {
  readonly utterance: Utterance
  readonly onStart: SpeakOptions['onStart']
  readonly onEnd: SpeakOptions['onEnd']
  readonly events: Queue<SpeechEvent>
  /** Aborted when the job is no longer wanted. */
  readonly unwanted: AbortController
}

/** The delays before a process is replaced that ended without having spoken, after the first such end. */
const replacementBackoff = { firstMs: 100, maxMs: 10_000 }
/** Used before the first hello, when there is no audio yet. */
const sampleRateBeforeHelloHz = 22_050

/** Created once, since an abort without a reason creates an error with its stack. */
const notWanted = new Error('The utterance is no longer wanted.')
const doesNotStart = () => new ServiceError('upstream_error', 'The speech engine does not start. Try again later.')

/** The delay before a process is replaced that is the `failures`th in a row without having spoken. The first has none. */
const replacementDelayMs = (failures: number): number =>
  failures < 2 ? 0 : backoffMs(replacementBackoff, failures - 1)

/**
 * Resolves when the first process is ready; the others follow. When none could be started, resolves with an engine that is not
 * healthy and has no voices until one is ready. Rejects with an `EngineUnavailableError` when a process reports that it cannot
 * work on this machine.
 */
export const openProcessEngine = async ({
  name,
  command,
  synthesis,
  logger,
  processes = availableParallelism(),
  jobSilenceTimeoutMs = 5000,
  cancelTimeoutMs = 500,
  startTimeoutMs = 30_000,
  utterancesPerProcess = Number.POSITIVE_INFINITY,
  signal,
  onReplace,
}: ProcessEngineOptions): Promise<Engine> => {
  const queue = createQueue<Job>()
  const jobs = new Set<Job>()
  const closing = new AbortController()
  const healthListeners = new Set<() => void>()
  let running = 0
  let starts = true
  let hello: Hello | undefined
  let voices: readonly OfferedVoice[] = []

  const setStarts = (now: boolean) => {
    if (now === starts) return
    starts = now
    for (const listener of [...healthListeners]) listener()
  }

  const introduce = (first: Hello) => {
    hello = first
    voices = first.voices.map(offeredVoice)
    const { implementation } = first.info ?? {}
    logger.info(
      { engine: name, implementation, version: first.version, capacity: processes },
      'A speech engine is ready',
    )
    if (first.warning !== undefined) logger.warn({ engine: name }, first.warning)
  }

  const drop = (job: Job, error: unknown) => {
    job.events.fail(error)
    job.unwanted.abort(notWanted)
    if (queue.remove(job)) jobs.delete(job)
  }

  const speakJob = async (process: SpeakingProcess, { utterance, onStart, onEnd, events, unwanted }: Job) => {
    const startedMs = performance.now()
    let samples = 0
    const onEvent = (event: SpeechEvent) => {
      if (event.kind === 'audio') samples += event.pcm.length
      events.push(event)
    }
    onStart?.()
    try {
      await process.speak(utterance, unwanted.signal, onEvent)
      events.end()
    } catch (error) {
      logger.warn({ err: error }, 'An utterance failed')
      events.fail(error)
    }
    const audioMs = (samples * 1000) / process.hello.sampleRateHz
    onEnd?.({ audioMs, engineMs: performance.now() - startedMs })
  }

  /** Gives jobs to one process until its limit, its end or the engine's; resolves with their number. */
  const serve = async (process: SpeakingProcess): Promise<number> => {
    const over = AbortSignal.any([process.gone, closing.signal])
    let served = 0
    while (served < utterancesPerProcess) {
      const job = await queue.take(over)
      if (job === undefined) break
      if (!job.unwanted.signal.aborted) await speakJob(process, job)
      jobs.delete(job)
      served += 1
    }
    return served
  }

  /** Keeps one process running until the engine is closed. */
  const keepRunning = async (onTried: () => void, onUnavailable: (error: EngineUnavailableError) => void) => {
    for (let failures = 1; !closing.signal.aborted; failures++) {
      try {
        const process = await openSpeakingProcess(
          { command, logger, jobSilenceTimeoutMs, cancelTimeoutMs, startTimeoutMs },
          closing.signal,
        )
        running++
        if (hello === undefined) introduce(process.hello)
        setStarts(true)
        onTried()
        const served = await serve(process)
        if (served > 0) failures = 0
        running--
        await process.close()
        if (!closing.signal.aborted && served < utterancesPerProcess) onReplace?.()
      } catch (error) {
        if (closing.signal.aborted) return
        if (error instanceof EngineUnavailableError && hello === undefined) return onUnavailable(error)
        logger.error({ err: error, attempt: failures }, 'An engine process could not be started')
        if (running === 0) {
          setStarts(false)
          for (const job of queue.clear()) drop(job, doesNotStart())
        }
        onTried()
      }
      await sleep(replacementDelayMs(failures), closing.signal).catch(() => {})
    }
  }

  let slots: Promise<void>[] = []
  const close = async () => {
    closing.abort()
    for (const job of jobs) drop(job, new ServiceError('draining', 'The service is shutting down. Try again.'))
    await Promise.all(slots)
  }

  await new Promise<void>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    signal?.throwIfAborted()
    const tried = new Set<number>()
    const onTried = (slot: number) => {
      tried.add(slot)
      if (hello !== undefined || tried.size === processes) resolve()
    }
    slots = Array.from({ length: processes }, (_, slot) => keepRunning(() => onTried(slot), reject))
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })

  return {
    name,
    synthesis,
    get info() {
      return hello === undefined ? {} : { version: hello.version, ...hello.info }
    },
    get sampleRateHz() {
      return hello?.sampleRateHz ?? sampleRateBeforeHelloHz
    },
    get voices() {
      return voices
    },
    capacity: processes,
    active: () => jobs.size,
    healthy: () => starts,
    onHealthChange(listener) {
      healthListeners.add(listener)
      return () => healthListeners.delete(listener)
    },

    async *speak(utterance, { signal, onStart, onEnd }) {
      signal.throwIfAborted()
      if (closing.signal.aborted) throw new ServiceError('draining', 'The service is shutting down. Try again.')
      if (!starts) throw doesNotStart()
      const job: Job = {
        utterance,
        onStart,
        onEnd,
        events: createQueue(),
        unwanted: new AbortController(),
      }
      queue.push(job)
      jobs.add(job)
      const abort = () => drop(job, signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      try {
        yield* job.events
      } finally {
        signal.removeEventListener('abort', abort)
        drop(job, undefined)
      }
    },

    close,
  }
}
