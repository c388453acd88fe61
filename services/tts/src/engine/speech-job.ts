import type { Queue } from '@parlance/async'
import type { Logger } from '@parlance/telemetry'
import type { SpeakOptions, SpeechEvent, Utterance } from './engine.js'
import { ProcessLostError } from './process-end.js'
import type { SpeakingProcess } from './speaking-process.js'

/** An utterance for any process, and its reader. */
export interface SpeechJob {
  readonly utterance: Utterance
  readonly onStart: SpeakOptions['onStart']
  readonly onEnd: SpeakOptions['onEnd']
  readonly events: Queue<SpeechEvent>
  /** Aborted when the job is no longer wanted. */
  readonly unwanted: AbortController
  /** Runs `work` in the asynchronous context of the request, so that what it logs has the request's trace. */
  readonly inRequest: <Result>(work: () => Result) => Result
}

export interface SpeakJobOptions {
  readonly logger: Logger
  /** Another process spoke this job before, and was lost. */
  readonly isRepeated: boolean
}

/** A process that sent nothing for long is lost as well, but its job is too late to be repeated. */
const wasKilled = (error: unknown): boolean => error instanceof ProcessLostError && error.code === 'upstream_error'

/**
 * Speaks a job in a process. A failure goes to the reader of the job and the log. Resolves when the process is free again, with
 * `repeat` where the process was killed before its first event of a job that is not repeated: another process can speak it.
 */
export const speakJob = async (
  process: SpeakingProcess,
  { utterance, onStart, onEnd, events, unwanted, inRequest }: SpeechJob,
  { logger, isRepeated }: SpeakJobOptions,
): Promise<'over' | 'repeat'> => {
  const startedMs = performance.now()
  let samples = 0
  let hasBegun = false
  const onEvent = (event: SpeechEvent) => {
    hasBegun = true
    if (event.kind === 'audio') samples += event.pcm.length
    events.push(event)
  }
  if (!isRepeated) onStart?.()
  try {
    await inRequest(() => process.speak(utterance, unwanted.signal, onEvent))
    events.end()
  } catch (error) {
    if (wasKilled(error) && !hasBegun && !isRepeated && !unwanted.signal.aborted) {
      inRequest(() => logger.warn({ err: error }, 'An utterance is given to another process'))
      return 'repeat'
    }
    inRequest(() => logger.warn({ err: error }, 'An utterance failed'))
    events.fail(error)
  }
  const audioMs = (samples * 1000) / process.hello.sampleRateHz
  onEnd?.({ audioMs, engineMs: performance.now() - startedMs })
  return 'over'
}
