/**
 * An engine made of child processes, each speaking one utterance at a time.
 *
 * - An utterance waits in one queue for whichever process is free first. Who goes before whom is decided elsewhere.
 * - A process is free when it has made its audio, not when that has been read.
 * - A process that dies fails the utterance it was speaking and no other, and another takes its place at once; only
 *   processes that keep dying without having spoken are replaced more and more slowly.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import type { Hello } from '@parlance/engine-protocol'
import type { Logger } from '@parlance/telemetry'
import type { Engine, SpeakOptions, SpeechEvent, Utterance } from './engine.js'
import { type EngineProcess, EngineUnavailableError, openEngineProcess } from './engine-process.js'
import { createEventBuffer, type EventBuffer } from './event-buffer.js'
import { createJobQueue } from './job-queue.js'
import { offeredVoice } from './offered-voice.js'

export interface ProcessEngineOptions {
  /** The program and its arguments; it speaks the engine protocol on its standard input and output. */
  readonly command: readonly [string, ...string[]]
  readonly logger: Logger
  /** What the engine is called; as its processes call it when not given. */
  readonly name?: string
  /** How many processes; one for each core when not given. */
  readonly processes?: number
  /** An utterance whose process says nothing for this long has failed. Default 5,000. */
  readonly jobSilenceTimeoutMs?: number
  /** A process that has not stopped so long after it was told to is replaced. Default 500. */
  readonly cancelTimeoutMs?: number
  /** How long a process may take to be ready. Default 30,000. */
  readonly startTimeoutMs?: number
  /** Aborted when nobody waits for the engine to open any more; then nothing of it is left running. */
  readonly signal?: AbortSignal
  /** Called whenever a process that ended, and should not have, is replaced. */
  readonly onReplace?: () => void
}

interface Job {
  readonly utterance: Utterance
  readonly onStart: SpeakOptions['onStart']
  readonly onEnd: SpeakOptions['onEnd']
  readonly events: EventBuffer<SpeechEvent>
  /** Aborted when nobody wants the job any more. */
  readonly unwanted: AbortController
}

const maxDelayMs = 10_000

/** How long to wait before a process is replaced that died as the `failures`th in a row without having spoken. */
const replacementDelayMs = (failures: number): number =>
  failures < 2 ? 0 : Math.min(100 * 2 ** (failures - 2), maxDelayMs)

/**
 * Resolves when the first process is ready, the others follow; rejects when none can be started, at once and with the
 * process's own reason when one says that it cannot speak on this machine.
 */
export const openProcessEngine = async ({
  command,
  logger,
  name,
  processes = availableParallelism(),
  jobSilenceTimeoutMs = 5000,
  cancelTimeoutMs = 500,
  startTimeoutMs = 30_000,
  signal,
  onReplace,
}: ProcessEngineOptions): Promise<Engine> => {
  const queue = createJobQueue<Job>()
  const jobs = new Set<Job>()
  const closing = new AbortController()
  let running = 0
  let everReady = false

  const drop = (job: Job, error: unknown) => {
    job.events.fail(error)
    job.unwanted.abort()
    if (queue.remove(job)) jobs.delete(job)
  }

  const speakJob = async (process: EngineProcess, { utterance, onStart, onEnd, events, unwanted }: Job) => {
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

  /** Gives jobs to one process until it or the engine ends; answers whether it did any. */
  const serve = async (process: EngineProcess): Promise<boolean> => {
    const over = AbortSignal.any([process.gone, closing.signal])
    let served = false
    for (let job = await queue.take(over); job !== undefined; job = await queue.take(over)) {
      if (!job.unwanted.signal.aborted) await speakJob(process, job)
      jobs.delete(job)
      served = true
    }
    return served
  }

  /** Keeps one process running until the engine is closed. */
  const keepRunning = async (
    onReady: (hello: Hello) => void,
    onFailure: (error: unknown) => void,
    onUnavailable: (error: EngineUnavailableError) => void,
  ) => {
    for (let failures = 1; !closing.signal.aborted; failures++) {
      try {
        const process = await openEngineProcess(
          { command, logger, jobSilenceTimeoutMs, cancelTimeoutMs, startTimeoutMs },
          closing.signal,
        )
        running++
        everReady = true
        onReady(process.hello)
        if (await serve(process)) failures = 0
        running--
        await process.close()
        if (!closing.signal.aborted) onReplace?.()
      } catch (error) {
        if (closing.signal.aborted) return
        if (error instanceof EngineUnavailableError && !everReady) return onUnavailable(error)
        logger.error({ err: error, attempt: failures }, 'An engine process could not be started')
        onFailure(error)
        const noEngine = new ServiceError('upstream_error', 'The speech engine does not start. Try again later.')
        if (running === 0) for (const job of queue.clear()) drop(job, noEngine)
      }
      await delay(replacementDelayMs(failures), undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  let slots: Promise<void>[] = []
  const close = async () => {
    closing.abort()
    for (const job of jobs) drop(job, new ServiceError('draining', 'The service is shutting down. Try again.'))
    await Promise.all(slots)
  }

  const hello = await new Promise<Hello>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    signal?.throwIfAborted()
    let mayStillStart = processes
    const onFailure = (error: unknown) => {
      mayStillStart--
      if (mayStillStart === 0) reject(new Error('the speech engine does not start', { cause: error }))
    }
    slots = Array.from({ length: processes }, () => keepRunning(resolve, onFailure, reject))
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })

  const engine = name ?? hello.engine
  const { implementation } = hello.info ?? {}
  logger.info({ engine, implementation, version: hello.version, capacity: processes }, 'A speech engine is ready')

  return {
    name: engine,
    info: { version: hello.version, ...hello.info },
    sampleRateHz: hello.sampleRateHz,
    voices: hello.voices.map(offeredVoice),
    capacity: processes,
    active: () => jobs.size,
    healthy: () => true,
    onHealthChange: () => () => undefined,

    async *speak(utterance, { signal, onStart, onEnd }) {
      signal.throwIfAborted()
      if (closing.signal.aborted) throw new ServiceError('draining', 'The service is shutting down. Try again.')
      const job: Job = {
        utterance,
        onStart,
        onEnd,
        events: createEventBuffer(),
        unwanted: new AbortController(),
      }
      queue.offer(job)
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
