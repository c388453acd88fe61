/**
 * A process that speaks or recognizes speech, as the service that starts it uses it.
 *
 * - Its output is always read at once: the process never waits for a slow listener.
 * - A process that does not start in time, does not end when asked to or breaks the protocol is killed.
 * - It gets an empty environment, so a secret of the service cannot leak through it.
 * - It runs at a lower priority than the service, whose work is short and serves many clients. When engines use the whole
 *   processor, the next request's first audio or a conversation's next frame would otherwise wait for their time slices.
 * - What is logged of it during a job has the trace of the request that the job belongs to.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import {
  createFrameDecoder,
  type EngineFailure,
  EngineUnavailableError,
  type Frame,
  jsonOf,
} from '../protocol/index.js'
import type { ErrorOutput, InJob } from './error-output.js'
import { lowerPriority } from './lower-priority.js'

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

/** Receives the frames of a process and its end. An exception of `onFrame` ends the process. */
export interface EngineListener {
  /** `following` are the frames that arrived together with this one, after it. */
  onFrame(frame: Frame, following: readonly Frame[]): void
  onGone(cause: Error): void
}

/** A running engine process, from its hello until its end. */
export interface EngineProcess<Hello> {
  readonly hello: Hello
  /** Aborted when the process has ended, for any reason. */
  readonly gone: AbortSignal
  /** Replaces the listener; undefined removes it. The caller's asynchronous context is that of the job until then. */
  listen(listener: EngineListener | undefined): void
  send(frame: Uint8Array): void
  kill(why: Error): void
  /** Asks the process to end, and resolves when it has ended. */
  close(): Promise<void>
}

/** Signals by which the system ends a process after a fault. */
const faults: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'])

/** Why a process has ended. */
export class EngineProcessEndedError extends Error {
  override readonly name = 'EngineProcessEndedError'
  /** Whether it exited or had a fault, and was not killed. */
  readonly byItself: boolean

  constructor(exitCode: number | null, signal: NodeJS.Signals | null, reason: string) {
    super(`the engine process ended (${signal ?? exitCode})${reason}`)
    this.byItself = signal === null || faults.has(signal)
  }
}

const closeTimeoutMs = 1000

const failureSchema: z.ZodType<EngineFailure> = z.object({ message: z.string().max(1000) })

/** Returns the message of an `error` frame. Throws when the frame has another shape. */
export const failureOf = (frame: Frame): string => failureSchema.parse(jsonOf(frame)).message

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
  let listener: EngineListener | undefined
  let contextOfJob: InJob | undefined
  const inJob: InJob = (work) => (contextOfJob === undefined ? work() : contextOfJob(work))

  const end = (cause: Error) => {
    if (gone.signal.aborted) return
    gone.abort()
    listener?.onGone(cause)
  }
  const kill = (why: Error) => {
    inJob(() => log.warn({ err: why }, 'An engine process is killed'))
    child.kill('SIGKILL')
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
    const giveUp = () => child.kill('SIGKILL')
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

  return {
    hello,
    gone: gone.signal,
    listen(next) {
      listener = next
      contextOfJob = next === undefined ? undefined : AsyncLocalStorage.snapshot()
    },
    send: (frame) => void child.stdin.write(frame),
    kill,
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
