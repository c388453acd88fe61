/** An utterance in an engine process. */
import { ServiceError } from '@parlance/contracts'
import { type EngineProcess, EngineProcessEndedError, EngineSilentError } from '@parlance/engine/client'
import { encodeJsonFrame, type Frame, type Hello, jsonOf, ProtocolError, samplesOf } from '@parlance/engine/protocol'
import { ProcessEndedError, type SpeechEvent, type Utterance } from './engine.js'
import { speechMarksSchema } from './engine-message.js'

export interface SpeakInProcessOptions {
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
