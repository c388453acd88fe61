import type { Queue } from '@parlance/async'
import type { Logger } from '@parlance/telemetry'
import type { SpeakOptions, SpeechEvent, Utterance } from './engine.js'
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

/** Speaks a job in a process; resolves when the process is free again. A failure goes to the reader of the job and the log. */
export const speakJob = async (
  process: SpeakingProcess,
  { utterance, onStart, onEnd, events, unwanted, inRequest }: SpeechJob,
  logger: Logger,
): Promise<void> => {
  const startedMs = performance.now()
  let samples = 0
  const onEvent = (event: SpeechEvent) => {
    if (event.kind === 'audio') samples += event.pcm.length
    events.push(event)
  }
  onStart?.()
  try {
    await inRequest(() => process.speak(utterance, unwanted.signal, onEvent))
    events.end()
  } catch (error) {
    inRequest(() => logger.warn({ err: error }, 'An utterance failed'))
    events.fail(error)
  }
  const audioMs = (samples * 1000) / process.hello.sampleRateHz
  onEnd?.({ audioMs, engineMs: performance.now() - startedMs })
}
