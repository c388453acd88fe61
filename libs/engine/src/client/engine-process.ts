/**
 * A process that speaks, recognizes speech or detects turns, as the service that starts it uses it.
 *
 * - It works on one job at a time. A job is over when the process reports its end, or when the process itself has ended.
 * - Its output is always read at once: the process never waits for a slow listener.
 * - A process that does not start in time, sends nothing during a job, does not obey a cancel, does not end when asked to or
 *   breaks the protocol is killed.
 * - It gets an empty environment, so a secret of the service cannot leak through it.
 * - It runs at a lower priority than the service, whose work is short and serves many clients. When engines use the whole
 *   processor, the next request's first audio or a conversation's next frame would otherwise wait for their time slices.
 * - Log lines about it during a job have the trace of the request that the job belongs to.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import {
  createFrameDecoder,
  type EngineFailure,
  EngineUnavailableError,
  encodeFrame,
  type Frame,
  type FrameKind,
  jsonOf,
  ProtocolError,
} from '../protocol/index.js'
import type { ErrorOutput, InJob } from './error-output.js'

export interface EngineProcessOptions<Hello> {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** The scheduling priority, from 0 (normal) to 19 (lowest). */
  readonly niceness: number
  readonly logger: Logger
  /** How long the process may take to send its hello. */
  readonly startTimeoutMs: number
  readonly helloSchema: z.ZodType<Hello>
  /** `inJob` runs a function in the asynchronous context of the current job. */
  readonly readErrors: (output: Readable, log: Logger, inJob: InJob) => ErrorOutput
}

interface EngineJobOptions<Result> {
  /**
   * Receives each frame of the job before the last. `following` are the frames that arrived together with it, after it. An
   * exception ends the process.
   */
  onFrame(frame: Frame, following: readonly Frame[]): void
  /** Reads the result from the job's `end` frame, also after a cancel. An exception ends the process. */
  readEnd(frame: Frame): Result
  /** How long a process may work on a cancelled job before it is killed. */
  readonly cancelTimeoutMs: number
  /** The process is killed when it sends nothing for this long. Default: no limit. */
  readonly silenceTimeoutMs?: number
}

/** A job in progress. Its functions do nothing once it is over. */
interface EngineJob<Result> {
  /** Sends another frame of the job. */
  send(kind: FrameKind, payload?: Uint8Array): void
  cancel(): void
  /**
   * Resolves with the result. Rejects with an `EngineRefusedError` when the process answers with an
   * error, an `EngineSilentError` when it sent nothing, and with the reason when it ended otherwise.
   */
  readonly done: Promise<Result>
}

/** A running engine process, from its hello until its end. */
export interface EngineProcess<Hello> {
  readonly hello: Hello
  /** Aborted when the process has ended, for any reason. */
  readonly gone: AbortSignal
  /**
   * Begins a job after the one before is over. `first` makes its first frame from the number of the job. The caller's
   * asynchronous context is that of the job.
   */
  begin<Result>(first: (job: number) => Uint8Array, options: EngineJobOptions<Result>): EngineJob<Result>
  /** Its resident memory, in bytes; undefined when the system does not report it. */
  residentBytes(): number | undefined
  /** Asks the process to end, and resolves when it has ended. */
  close(): Promise<void>
}

/** The engine refused a job. It can work on the next. */
class EngineRefusedError extends Error {
  override readonly name = 'EngineRefusedError'
}

/** The process sent nothing during a job, and was killed. */
export class EngineSilentError extends Error {
  override readonly name = 'EngineSilentError'
}

/** Why a process has ended. */
export class EngineProcessEndedError extends Error {
  override readonly name = 'EngineProcessEndedError'

  constructor(exitCode: number | null, signal: NodeJS.Signals | null, reason: string) {
    super(`the engine process ended (${signal ?? exitCode})${reason}`)
  }
}

const closeTimeoutMs = 1000

const failureSchema: z.ZodType<EngineFailure> = z.object({ message: z.string().max(1000) })

/** Returns the message of an `error` frame. Throws when the frame has another shape. */
const failureOf = (frame: Frame): string => failureSchema.parse(jsonOf(frame)).message

interface Listener {
  onFrame(frame: Frame, following: readonly Frame[]): void
  onGone(cause: Error): void
}

/** Lowers the scheduling priority of a process to `niceness`, from 0 (normal) to 19 (lowest), where that is possible. */
export const lowerPriority = (pid: number | undefined, niceness: number): void => {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The process has ended already, or the system does not allow it. The process works at any priority.
  }
}

/** The file exists only on Linux. */
const residentBytesOf = (pid: number | undefined): number | undefined => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/**
 * Starts a process and resolves when it has sent its hello. Rejects with an `EngineUnavailableError` when the process reports
 * that it cannot work, with an `EngineProcessEndedError` when it ends, does not start in time or `signal` is aborted first.
 */
export const openEngineProcess = async <Hello extends { engine: string }>(
  { command, niceness, logger, startTimeoutMs, helloSchema, readErrors }: EngineProcessOptions<Hello>,
  signal: AbortSignal,
): Promise<EngineProcess<Hello>> => {
  const [program, ...args] = command
  const child = spawn(program, args, { env: {}, windowsHide: true })
  lowerPriority(child.pid, niceness)
  const log = logger.child({ ...(child.pid === undefined ? {} : { pid: child.pid }) })
  const gone = new AbortController()
  let listener: Listener | undefined
  let lastJob = 0
  let goneWith: Error | undefined
  let contextOfJob: InJob | undefined
  const inJob: InJob = (work) => (contextOfJob === undefined ? work() : contextOfJob(work))

  const end = (cause: Error) => {
    if (gone.signal.aborted) return
    goneWith = cause
    gone.abort()
    listener?.onGone(cause)
  }
  // The handle of a process that could not be started has the pid 0, with which Node would kill the group of this process.
  const killChild = () => child.pid !== undefined && child.kill('SIGKILL')
  const kill = (why: Error) => {
    inJob(() => log.warn({ err: why }, 'An engine process is killed'))
    killChild()
  }

  child.once('error', end)
  const errors = readErrors(child.stderr, log, inJob)
  child.once('close', (code, by) => {
    const how = { ...(code === null ? {} : { exitCode: code }), ...(by === null ? {} : { signal: by }) }
    inJob(() => log.info(how, 'An engine process ended'))
    end(new EngineProcessEndedError(code, by, errors.reason()))
  })
  // Writing to a process that has just ended fails. Its end is reported by `close`.
  child.stdin.on('error', () => {})
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
    const timer = setTimeout(() => kill(new Error('the engine process did not start in time')), startTimeoutMs)
    // A process that is closed while it starts is not a failure, so nothing is logged.
    const giveUp = () => void killChild()
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    const settle = () => {
      listener = undefined
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
    listener = {
      onFrame(frame) {
        if (frame.kind === 'hello') resolve(helloSchema.parse(jsonOf(frame)))
        else reject(new EngineUnavailableError(failureOf(frame)))
        settle()
      },
      onGone(cause) {
        settle()
        reject(cause)
      },
    }
  })
  errors.started()
  log.info({ engine: hello.engine }, 'An engine process is ready')

  const begin = <Result>(
    first: (job: number) => Uint8Array,
    { onFrame, readEnd, cancelTimeoutMs, silenceTimeoutMs }: EngineJobOptions<Result>,
  ): EngineJob<Result> => {
    const job = ++lastJob
    let cancelTimer: NodeJS.Timeout | undefined
    let silenceTimer: NodeJS.Timeout | undefined
    let silence: EngineSilentError | undefined
    let isOver = false

    const done = new Promise<Result>((resolve, reject) => {
      const settle = () => {
        isOver = true
        listener = undefined
        contextOfJob = undefined
        clearTimeout(cancelTimer)
        clearTimeout(silenceTimer)
      }
      const fail = (cause: Error) => {
        settle()
        reject(cause)
      }
      if (goneWith !== undefined) return fail(goneWith)
      listener = {
        onFrame(frame, following) {
          if (frame.job !== job) throw new ProtocolError('a frame of another job')
          silenceTimer?.refresh()
          if (frame.kind === 'error') fail(new EngineRefusedError(failureOf(frame)))
          else if (frame.kind === 'end') {
            const result = readEnd(frame)
            settle()
            resolve(result)
          } else onFrame(frame, following)
        },
        onGone: (cause) => fail(silence ?? cause),
      }
      contextOfJob = AsyncLocalStorage.snapshot()
      if (silenceTimeoutMs === undefined) return
      silenceTimer = setTimeout(() => {
        silence = new EngineSilentError('the engine process sent nothing during a job')
        kill(silence)
      }, silenceTimeoutMs)
    })
    const write = (frame: Uint8Array) => {
      if (!isOver) child.stdin.write(frame)
    }
    write(first(job))

    return {
      send: (kind, payload) => write(encodeFrame(kind, job, payload)),
      cancel() {
        if (isOver) return
        write(encodeFrame('cancel', job))
        cancelTimer = setTimeout(() => kill(new Error('the engine process did not cancel a job')), cancelTimeoutMs)
      },
      done,
    }
  }

  return {
    hello,
    gone: gone.signal,
    begin,
    residentBytes: () => residentBytesOf(child.pid),
    async close() {
      if (gone.signal.aborted) return
      const ended = once(gone.signal, 'abort')
      const timer = setTimeout(() => kill(new Error('the engine process did not end')), closeTimeoutMs)
      child.stdin.end()
      await ended
      clearTimeout(timer)
    },
  }
}
