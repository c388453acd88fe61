/**
 * One engine process, seen from the service.
 *
 * - It speaks one job at a time; a job is over only when the process says so or is gone.
 * - What it writes is read at once, always: it never waits for a slow listener.
 * - A process that is silent in a job, does not obey a cancel or breaks the protocol is killed, not argued with.
 * - It gets no environment, so a secret of the service cannot leak through it.
 * - It stands back behind the service, which carries what has been made to those who listen: where engines take all there
 *   is of the processor, short work such as the next request's first audio would wait for their time slices.
 */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { ServiceError } from '@parlance/contracts'
import {
  createFrameDecoder,
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  type Hello,
  jsonOf,
  ProtocolError,
  samplesOf,
} from '@parlance/engine-protocol'
import type { Logger } from '@parlance/telemetry'
import type { SpeechEvent, Utterance } from './engine.js'
import { engineFailureSchema, helloSchema, speechMarksSchema } from './engine-message.js'
import { logErrorOutput } from './error-output.js'

export interface EngineProcessOptions {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly logger: Logger
  /** A job that hears nothing from the process for this long is given up, and the process with it. */
  readonly jobSilenceTimeoutMs: number
  /** A job that goes on for this long after it was cancelled is given up, and the process with it. */
  readonly cancelTimeoutMs: number
  /** How long the process may take to say hello. */
  readonly startTimeoutMs: number
}

export interface EngineProcess {
  readonly hello: Hello
  /** Aborted when the process has ended, for whatever reason. */
  readonly gone: AbortSignal
  /**
   * Settles when the process is free for the next job; after an abort that is when it has stopped. Rejects with a
   * `ServiceError`: `upstream_error` when the process refuses or dies, `upstream_timeout` when it falls silent.
   */
  speak(utterance: Utterance, signal: AbortSignal, onEvent: (event: SpeechEvent) => void): Promise<void>
  close(): Promise<void>
}

/** Of 0 to 19: little enough beside the service, and never nothing. */
const niceness = 15
const closeTimeoutMs = 1000

/** Whether a job's end is among its frames, and no more audio. */
const areLast = (frames: readonly Frame[]): boolean =>
  frames.at(-1)?.kind === 'end' && frames.every(({ kind }) => kind !== 'audio')

const stopped = (cause?: unknown) =>
  new ServiceError('upstream_error', 'The speech engine stopped while speaking. Try again.', { cause })

const standBack = (pid: number): void => {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already, or the system does not let us: it speaks as well at any priority.
  }
}

/** Whoever is to be told of the process's frames and of its end: first the one that starts it, then the job. */
interface Listener {
  /** With those that came after it at once. */
  onFrame(frame: Frame, following: readonly Frame[]): void
  onGone(cause: Error): void
}

/** The process says itself that it cannot speak on this machine, and why: starting another would not help. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError'
}

/** Starts a process and waits for its hello. Rejects when it does not come, or the signal is aborted first. */
export const openEngineProcess = async (
  { command: [program, ...args], logger, jobSilenceTimeoutMs, cancelTimeoutMs, startTimeoutMs }: EngineProcessOptions,
  signal: AbortSignal,
): Promise<EngineProcess> => {
  const child = spawn(program, args, { env: {}, windowsHide: true })
  if (child.pid !== undefined) standBack(child.pid)
  const log = logger.child({ ...(child.pid === undefined ? {} : { pid: child.pid }) })
  const gone = new AbortController()
  let listener: Listener | undefined
  let lastJob = 0

  const end = (cause: Error) => {
    if (gone.signal.aborted) return
    gone.abort()
    listener?.onGone(cause)
  }
  const kill = (why: Error) => {
    log.warn({ err: why }, 'An engine process is killed')
    child.kill('SIGKILL')
  }
  const send = (bytes: Uint8Array) => child.stdin.write(bytes)

  child.once('error', end)
  child.once('close', (code, by) => {
    log.info(
      { ...(code === null ? {} : { exitCode: code }), ...(by === null ? {} : { signal: by }) },
      'An engine process ended',
    )
    end(new Error(`the engine process ended (${by ?? code})`))
  })
  // Writing to a process that has just ended fails; that it ended is heard anyway.
  child.stdin.on('error', () => {})
  logErrorOutput(child.stderr, log)
  const decode = createFrameDecoder()
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      const frames = decode(chunk)
      for (const [index, frame] of frames.entries()) listener?.onFrame(frame, frames.slice(index + 1))
    } catch (error) {
      kill(error as Error)
    }
  })

  const hello = await new Promise<Hello>((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(startTimeoutMs)])
    // Being closed while it starts is nobody's fault, and nothing to log.
    const giveUp = () => (signal.aborted ? child.kill('SIGKILL') : kill(limit.reason as Error))
    limit.addEventListener('abort', giveUp, { once: true })
    if (limit.aborted) giveUp()
    listener = {
      onFrame: (frame) => {
        limit.removeEventListener('abort', giveUp)
        if (frame.kind === 'hello') resolve(helloSchema.parse(jsonOf(frame)))
        else reject(new EngineUnavailableError(engineFailureSchema.parse(jsonOf(frame)).message))
      },
      onGone: reject,
    }
  })
  listener = undefined
  log.info({ engine: hello.engine }, 'An engine process is ready')

  const speak: EngineProcess['speak'] = (utterance, signal, onEvent) =>
    new Promise((resolve, reject) => {
      if (gone.signal.aborted) return reject(stopped())
      const job = ++lastJob
      const settle = (error?: ServiceError) => {
        listener = undefined
        clearTimeout(silence)
        clearTimeout(disobedience)
        signal.removeEventListener('abort', cancel)
        if (error === undefined) resolve()
        else reject(error)
      }
      let timeout: ServiceError | undefined
      const silence = setTimeout(() => {
        timeout = new ServiceError('upstream_timeout', 'The speech engine did not answer in time. Try again.')
        kill(new Error('the engine process fell silent in a job'))
      }, jobSilenceTimeoutMs)
      let disobedience: NodeJS.Timeout | undefined
      const cancel = () => {
        send(encodeFrame('cancel', job))
        disobedience = setTimeout(() => kill(new Error('the engine process did not cancel a job')), cancelTimeoutMs)
      }

      listener = {
        onFrame: (frame, following) => {
          if (frame.job !== job) throw new ProtocolError('a frame of another job')
          silence.refresh()
          if (frame.kind === 'audio') onEvent({ kind: 'audio', pcm: samplesOf(frame), isLast: areLast(following) })
          else if (frame.kind === 'marks') onEvent({ kind: 'marks', ...speechMarksSchema.parse(jsonOf(frame)) })
          else if (frame.kind === 'end') settle()
          else settle(stopped(new Error(engineFailureSchema.parse(jsonOf(frame)).message)))
        },
        onGone: (cause) => settle(timeout ?? stopped(cause)),
      }
      send(encodeJsonFrame('speak', job, utterance))
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
    })

  const close = async () => {
    if (gone.signal.aborted) return
    const ended = new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()))
    const timer = setTimeout(() => kill(new Error('the engine process did not end')), closeTimeoutMs)
    child.stdin.end()
    await ended
    clearTimeout(timer)
  }

  return { hello, gone: gone.signal, speak, close }
}
