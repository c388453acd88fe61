/** An engine made of child processes. The order of the utterances that wait for one is decided by the scheduler. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { createQueue, type Queue } from '@parlance/async'
import {
  decimalSchema,
  draining,
  type OfferedVoice,
  offeredVoiceSchema,
  ServiceError,
  type SynthesisMethod,
} from '@parlance/contracts'
import {
  EnginePool,
  EnginePoolClosedError,
  type EnginePoolOptions,
  type EngineProcess,
  EngineProcessEndedError,
  EngineSilentError,
  logErrorOutput,
  type PoolJob,
} from '@parlance/engine/client'
import {
  type EngineVoice,
  encodeJsonFrame,
  type Frame,
  type Hello,
  jsonOf,
  ProtocolError,
  samplesOf,
} from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import {
  type Engine,
  ProcessEndedError,
  type SpeakOptions,
  type SpeechEvent,
  type SpeechMarks,
  type Utterance,
} from './engine.js'
import { offeredVoice } from './offered-voice.js'

// The messages of an engine process.
const { id, languages, gender, created_at: createdAt, updated_at: updatedAt } = offeredVoiceSchema.shape

const variantSchema = z.object({
  id: z.string().min(1).max(64),
  displayName: z.string(),
  creditPer1kCharacters: decimalSchema,
})

const voiceSchema: z.ZodType<EngineVoice> = z.object({
  id,
  displayName: z.string().min(1),
  description: z.string(),
  languages,
  gender,
  tags: z.array(z.string()),
  license: z.string(),
  createdAt,
  updatedAt,
  variants: z.array(variantSchema).min(1),
})

export const helloSchema: z.ZodType<Hello> = z.object({
  engine: z.string().min(1),
  version: z.string(),
  info: z.record(z.string().regex(/^[a-z_]{1,32}$/), z.string().max(256)).optional(),
  warning: z.string().max(1000).optional(),
  sampleRateHz: z.int().min(8000).max(48000),
  voices: z.array(voiceSchema).min(1),
})

const timesMs = { startMs: z.number().nonnegative(), endMs: z.number().nonnegative() }

const speechMarksSchema: z.ZodType<SpeechMarks> = z.object({
  words: z.array(
    z.object({
      text: z.string(),
      textStart: z.int().nonnegative(),
      textEnd: z.int().nonnegative(),
      ...timesMs,
    }),
  ),
  phonemes: z.array(z.object({ ipa: z.string(), ...timesMs })),
  pauseMs: z.number().nonnegative().optional(),
})

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

interface SpeakInProcessOptions {
  readonly signal: AbortSignal
  readonly onEvent: (event: SpeechEvent) => void
  /** The utterance fails, and the process is killed, when the process sends nothing for this long. */
  readonly jobSilenceTimeoutMs: number
  /** The process is killed when the utterance continues for this long after its cancel. */
  readonly cancelTimeoutMs: number
}

/** Whether these frames end the job without more audio. */
const areLast = (frames: readonly Frame[]): boolean =>
  frames.at(-1)?.kind === 'end' && frames.every(({ kind }) => kind !== 'audio')

const refusedDetail = 'The speech engine could not speak this. Try again.'
const silentDetail = 'The speech engine did not answer in time. Try again.'

const failureOf = (cause: unknown): ServiceError => {
  if (cause instanceof EngineSilentError) return new ServiceError('upstream_timeout', silentDetail)
  if (cause instanceof EngineProcessEndedError) return new ProcessEndedError(cause)
  return new ServiceError('upstream_error', refusedDetail, { cause })
}

/**
 * Settles when the process is free for the next utterance; after an abort, when it has stopped. Rejects with a `ServiceError`:
 * `upstream_error` when the process refuses, `upstream_timeout` when it sends nothing, a `ProcessEndedError` when it ends.
 */
export const speakInProcess = async (
  process: EngineProcess<Hello>,
  utterance: Utterance,
  { signal, onEvent, jobSilenceTimeoutMs, cancelTimeoutMs }: SpeakInProcessOptions,
): Promise<void> => {
  const { cancel, done } = process.begin((job) => encodeJsonFrame('speak', job, utterance), {
    onFrame(frame, following) {
      if (frame.kind === 'audio') onEvent({ kind: 'audio', pcm: samplesOf(frame), isLast: areLast(following) })
      else if (frame.kind === 'marks') onEvent({ kind: 'marks', ...speechMarksSchema.parse(jsonOf(frame)) })
      else throw new ProtocolError(`an unexpected frame: ${frame.kind}`)
    },
    readEnd: () => {},
    silenceTimeoutMs: jobSilenceTimeoutMs,
    cancelTimeoutMs,
  })
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    await done
  } catch (cause) {
    throw failureOf(cause)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** A lower priority than the service, but high enough that engines still speak when all cores are busy. */
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
