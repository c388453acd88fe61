/** An engine made of child processes. The order of the utterances that wait for one is decided by the scheduler. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { createQueue, type Queue } from '@parlance/async'
import { draining, type OfferedVoice, ServiceError, type SynthesisMethod } from '@parlance/contracts'
import {
  EnginePool,
  EnginePoolClosedError,
  type EnginePoolOptions,
  logErrorOutput,
  type PoolJob,
} from '@parlance/engine/client'
import type { Hello } from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import type { Engine, SpeakOptions, SpeechEvent, Utterance } from './engine.js'
import { helloSchema } from './engine-message.js'
import { offeredVoice } from './offered-voice.js'
import { type SpeakInProcessOptions, speakInProcess } from './speaking-process.js'

export interface ProcessEngineOptions
  extends Pick<EnginePoolOptions<Hello>, 'command' | 'idleMs' | 'maxResidentBytes' | 'mustStart' | 'onReplace'> {
  readonly name: string
  readonly synthesis: SynthesisMethod
  readonly logger: Logger
  /** The maximum number of processes; by default one for each core. */
  readonly processes?: number
  /** How many of them always run; the others run while texts wait. Default: all. */
  readonly minProcesses?: number
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
}

/** Below the service, and high enough that engines still speak when all cores are busy. */
const niceness = 5

/** Used before the first hello, when there is no audio yet. */
const sampleRateBeforeHelloHz = 22_050

/** Created once, since an abort without a reason creates an error with its stack. */
const notWanted = new Error('The utterance is no longer wanted.')

interface SpeechJob extends PoolJob<Hello> {
  readonly events: Queue<SpeechEvent>
  /** Fails what was not read, and stops a process that speaks. */
  stop(error: unknown): void
}

/** An utterance for any process, and its reader. A failure goes to the reader and the log. */
const createSpeechJob = (
  utterance: Utterance,
  { onStart, onEnd }: SpeakOptions,
  { logger, ...limits }: { readonly logger: Logger } & Omit<SpeakInProcessOptions, 'signal' | 'onEvent'>,
): SpeechJob => {
  const events = createQueue<SpeechEvent>()
  const unwanted = new AbortController()
  /** What is logged in it has the trace of the request. */
  const inRequest = AsyncLocalStorage.snapshot()

  const stop = (error: unknown) => {
    events.fail(error)
    unwanted.abort(notWanted)
  }
  return {
    events,
    stop,
    fail: (cause) =>
      stop(
        cause instanceof EnginePoolClosedError
          ? draining()
          : new ServiceError('upstream_error', 'The speech engine does not start. Try again later.'),
      ),
    async run(process) {
      const startedMs = performance.now()
      const { signal } = unwanted
      let samples = 0
      const onEvent = (event: SpeechEvent) => {
        if (event.kind === 'audio') samples += event.pcm.length
        events.push(event)
      }
      onStart?.()
      try {
        await inRequest(() => speakInProcess(process, utterance, { ...limits, signal, onEvent }))
        events.end()
      } catch (error) {
        if (!signal.aborted) inRequest(() => logger.warn({ err: error }, 'An utterance failed'))
        events.fail(error)
      }
      const audioMs = (samples * 1000) / process.hello.sampleRateHz
      onEnd?.({ audioMs, engineMs: performance.now() - startedMs })
    },
  }
}

/**
 * Resolves when the first process is ready; the others follow. When none could be started, resolves with an engine that is not
 * healthy and has no voices until one is ready, or rejects with `mustStart`. Rejects with an `EngineUnavailableError` when a
 * process reports that it cannot work on this machine.
 */
export const openProcessEngine = async ({
  name,
  command,
  synthesis,
  logger,
  processes = availableParallelism(),
  minProcesses = processes,
  jobSilenceTimeoutMs = 5000,
  cancelTimeoutMs = 500,
  startTimeoutMs = 30_000,
  utterancesPerProcess = Number.POSITIVE_INFINITY,
  idleMs,
  maxResidentBytes,
  mustStart,
  signal,
  onReplace,
}: ProcessEngineOptions): Promise<Engine> => {
  const healthListeners = new Set<() => void>()
  let hello: Hello | undefined
  let voices: readonly OfferedVoice[] = []

  const onHello = (first: Hello) => {
    hello = first
    voices = first.voices.map(offeredVoice)
    const { implementation } = first.info ?? {}
    logger.info(
      { engine: name, implementation, version: first.version, capacity: processes },
      'A speech engine is ready',
    )
    if (first.warning !== undefined) logger.warn({ engine: name }, first.warning)
  }
  const pool = new EnginePool<Hello>({
    command,
    niceness,
    logger,
    helloSchema,
    readErrors: logErrorOutput,
    maxProcesses: processes,
    minProcesses,
    startTimeoutMs,
    jobsPerProcess: utterancesPerProcess,
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(maxResidentBytes === undefined ? {} : { maxResidentBytes }),
    ...(mustStart === undefined ? {} : { mustStart }),
    onHello,
    onReplace,
    onHealthChange() {
      for (const listener of [...healthListeners]) listener()
    },
  })
  await pool.open(signal)

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
    active: () => pool.size,
    healthy: () => pool.isHealthy,
    onHealthChange(listener) {
      healthListeners.add(listener)
      return () => healthListeners.delete(listener)
    },

    async *speak(utterance, options) {
      const { signal } = options
      signal.throwIfAborted()
      const job = createSpeechJob(utterance, options, { logger, jobSilenceTimeoutMs, cancelTimeoutMs })
      const drop = (error: unknown) => {
        job.stop(error)
        pool.remove(job)
      }
      const abort = () => drop(signal.reason)
      pool.add(job)
      signal.addEventListener('abort', abort, { once: true })
      try {
        yield* job.events
      } finally {
        signal.removeEventListener('abort', abort)
        drop(undefined)
      }
    },

    close: () => pool.close(),
  }
}
