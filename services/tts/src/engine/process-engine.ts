/** An engine made of child processes. The order of the utterances that wait for one is decided by the scheduler. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { createQueue } from '@parlance/async'
import type { OfferedVoice, SynthesisMethod } from '@parlance/contracts'
import type { Hello } from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import type { Engine } from './engine.js'
import { offeredVoice } from './offered-voice.js'
import { ProcessPool } from './process-pool.js'
import type { SpeechJob } from './speech-job.js'

export interface ProcessEngineOptions {
  readonly name: string
  /** The program and its arguments; it speaks the engine protocol on its standard input and output. */
  readonly command: readonly [string, ...string[]]
  readonly synthesis: SynthesisMethod
  readonly logger: Logger
  /** The scheduling priority of the processes, from 0 (normal) to 19 (lowest). Default 15. */
  readonly niceness?: number
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
  /** The opening rejects when the first process does not start. Default: the engine is unhealthy until a process starts. */
  readonly mustStart?: boolean
  /** Aborts the opening; nothing is left running then. */
  readonly signal?: AbortSignal
  /** Called when a process ended unexpectedly and is replaced. */
  readonly onReplace?: () => void
}

/** A low priority beside the service, but not the lowest. */
const defaultNiceness = 15

/** Used before the first hello, when there is no audio yet. */
const sampleRateBeforeHelloHz = 22_050

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
  niceness = defaultNiceness,
  processes = availableParallelism(),
  jobSilenceTimeoutMs = 5000,
  cancelTimeoutMs = 500,
  startTimeoutMs = 30_000,
  utterancesPerProcess = Number.POSITIVE_INFINITY,
  mustStart = false,
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
  const pool = new ProcessPool({
    command,
    niceness,
    logger,
    processes,
    jobSilenceTimeoutMs,
    cancelTimeoutMs,
    startTimeoutMs,
    jobsPerProcess: utterancesPerProcess,
    mustStart,
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

    async *speak(utterance, { signal, onStart, onEnd }) {
      signal.throwIfAborted()
      const job: SpeechJob = {
        utterance,
        onStart,
        onEnd,
        events: createQueue(),
        unwanted: new AbortController(),
        inRequest: AsyncLocalStorage.snapshot(),
      }
      pool.add(job)
      const abort = () => pool.drop(job, signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      try {
        yield* job.events
      } finally {
        signal.removeEventListener('abort', abort)
        pool.drop(job, undefined)
      }
    },

    close: () => pool.close(),
  }
}
