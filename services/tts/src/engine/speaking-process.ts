/**
 * One engine process and the job that it speaks.
 *
 * - It speaks one job at a time. A job is over when the process reports its end, or has ended itself.
 * - A process that sends nothing during a job or does not obey a cancel is killed.
 */
import { ServiceError } from '@parlance/contracts'
import {
  type EngineProcess,
  EngineProcessEndedError,
  type EngineProcessOptions,
  failureOf,
  logErrorOutput,
  openEngineProcess,
} from '@parlance/engine/client'
import {
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  type Hello,
  jsonOf,
  ProtocolError,
  samplesOf,
} from '@parlance/engine/protocol'
import type { SpeechEvent, Utterance } from './engine.js'
import { helloSchema, speechMarksSchema } from './engine-message.js'
import { FatalTextError, ProcessLostError } from './process-end.js'

export interface SpeakingProcessOptions
  extends Pick<EngineProcessOptions<Hello>, 'command' | 'niceness' | 'logger' | 'startTimeoutMs'> {
  /** A job fails, and its process is killed, when the process sends nothing for this long. */
  readonly jobSilenceTimeoutMs: number
  /** The process is killed when a job continues for this long after its cancel. */
  readonly cancelTimeoutMs: number
}

export interface SpeakingProcess extends Pick<EngineProcess<Hello>, 'hello' | 'gone' | 'close'> {
  /**
   * Settles when the process is free for the next job; after an abort, when it has stopped. Rejects with a `ServiceError`:
   * `upstream_error` when the process refuses, a `FatalTextError` when it crashes, a `ProcessLostError` when it is killed
   * (`upstream_error`) or sends nothing (`upstream_timeout`).
   */
  speak(utterance: Utterance, signal: AbortSignal, onEvent: (event: SpeechEvent) => void): Promise<void>
}

/** Whether these frames end the job without more audio. */
const areLast = (frames: readonly Frame[]): boolean =>
  frames.at(-1)?.kind === 'end' && frames.every(({ kind }) => kind !== 'audio')

const stoppedDetail = 'The speech engine stopped while speaking. Try again.'
const silentDetail = 'The speech engine did not answer in time. Try again.'

const lossOf = (cause: unknown): ServiceError =>
  cause instanceof EngineProcessEndedError && cause.byItself
    ? new FatalTextError(cause)
    : new ProcessLostError('upstream_error', stoppedDetail, { cause })

/** Starts a process. Rejects as `openEngineProcess` does. */
export const openSpeakingProcess = async (
  { command, niceness, logger, jobSilenceTimeoutMs, cancelTimeoutMs, startTimeoutMs }: SpeakingProcessOptions,
  signal: AbortSignal,
): Promise<SpeakingProcess> => {
  const { hello, gone, listen, send, kill, close } = await openEngineProcess(
    { command, niceness, logger, startTimeoutMs, helloSchema, readErrors: logErrorOutput },
    signal,
  )
  let lastJob = 0

  const speak: SpeakingProcess['speak'] = (utterance, signal, onEvent) =>
    new Promise((resolve, reject) => {
      if (gone.aborted) return reject(new ServiceError('upstream_error', stoppedDetail))
      const job = ++lastJob
      const settle = (error?: ServiceError) => {
        listen(undefined)
        clearTimeout(silenceTimer)
        clearTimeout(cancelTimer)
        signal.removeEventListener('abort', cancel)
        if (error === undefined) resolve()
        else reject(error)
      }
      let timeout: ServiceError | undefined
      const silenceTimer = setTimeout(() => {
        timeout = new ProcessLostError('upstream_timeout', silentDetail)
        kill(new Error('the engine process sent nothing during a job'))
      }, jobSilenceTimeoutMs)
      let cancelTimer: NodeJS.Timeout | undefined
      const cancel = () => {
        send(encodeFrame('cancel', job))
        cancelTimer = setTimeout(() => kill(new Error('the engine process did not cancel a job')), cancelTimeoutMs)
      }

      listen({
        onFrame: (frame, following) => {
          if (frame.job !== job) throw new ProtocolError('a frame of another job')
          silenceTimer.refresh()
          if (frame.kind === 'audio') onEvent({ kind: 'audio', pcm: samplesOf(frame), isLast: areLast(following) })
          else if (frame.kind === 'marks') onEvent({ kind: 'marks', ...speechMarksSchema.parse(jsonOf(frame)) })
          else if (frame.kind === 'end') settle()
          else settle(new ServiceError('upstream_error', stoppedDetail, { cause: new Error(failureOf(frame)) }))
        },
        onGone: (cause) => settle(timeout ?? lossOf(cause)),
      })
      send(encodeJsonFrame('speak', job, utterance))
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
    })

  return { hello, gone, speak, close }
}
