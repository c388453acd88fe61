/**
 * A process that speaks or hears, seen from the service that starts it.
 *
 * - What it writes is read at once, always: it never waits for a slow listener.
 * - One that does not start in time, does not end when it is asked to or breaks the protocol is killed, not argued with.
 * - It gets no environment, so a secret of the service cannot leak through it.
 * - It stands back behind the service, which has short work to do for many: where engines take all there is of the
 *   processor, the next request's first audio or a conversation's next frame would wait for their time slices.
 */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import { createFrameDecoder, type EngineFailure, type Frame, jsonOf } from '../protocol/index.js'
import type { ErrorOutput } from './error-output.js'

export interface EngineProcessOptions<Hello> {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** Of 0 to 19: how far it stands back. */
  readonly niceness: number
  readonly logger: Logger
  /** How long the process may take to say hello. */
  readonly startTimeoutMs: number
  readonly helloSchema: z.ZodType<Hello>
  readonly readErrors: (output: Readable, log: Logger) => ErrorOutput
}

/** Whoever is to be told of the process's frames and of its end. What `onFrame` throws ends the process. */
export interface EngineListener {
  /** With those that came after it at once. */
  onFrame(frame: Frame, following: readonly Frame[]): void
  onGone(cause: Error): void
}

export interface EngineProcess<Hello> {
  readonly hello: Hello
  /** Aborted when the process has ended, for whatever reason. */
  readonly gone: AbortSignal
  /** Who is told from now on; nobody when undefined. */
  listen(listener: EngineListener | undefined): void
  send(frame: Uint8Array): void
  kill(why: Error): void
  /** Asks it to end, and resolves when it has. */
  close(): Promise<void>
}

/** Signals by which a system ends a process that did wrong. Nobody else sends them. */
const faults: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'])

/** Why a process has ended. */
export class EngineProcessEndedError extends Error {
  override readonly name = 'EngineProcessEndedError'
  /** Whether it ended by itself, by an exit or a fault, and was not killed. */
  readonly byItself: boolean

  constructor(exitCode: number | null, signal: NodeJS.Signals | null, lastWords: string) {
    super(`the engine process ended (${signal ?? exitCode})${lastWords}`)
    this.byItself = signal === null || faults.has(signal)
  }
}

/** The process says itself that it cannot work on this machine, and why: starting another would not help. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError'
}

const closeTimeoutMs = 1000

const failureSchema: z.ZodType<EngineFailure> = z.object({ message: z.string().max(1000) })

/** What an `error` frame says went wrong. Throws where it says nothing of the kind. */
export const failureOf = (frame: Frame): string => failureSchema.parse(jsonOf(frame)).message

const standBack = (pid: number, niceness: number): void => {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already, or the system does not let us: it works as well at any priority.
  }
}

/**
 * Starts a process and waits for its hello. Rejects when it does not come or the signal is aborted first, and with an
 * `EngineUnavailableError`.
 */
export const openEngineProcess = async <Hello extends { engine: string }>(
  { command, niceness, logger, startTimeoutMs, helloSchema, readErrors }: EngineProcessOptions<Hello>,
  signal: AbortSignal,
): Promise<EngineProcess<Hello>> => {
  const [program, ...args] = command
  const child = spawn(program, args, { env: {}, windowsHide: true })
  if (child.pid !== undefined) standBack(child.pid, niceness)
  const log = logger.child({ ...(child.pid === undefined ? {} : { pid: child.pid }) })
  const gone = new AbortController()
  let listener: EngineListener | undefined

  const end = (cause: Error) => {
    if (gone.signal.aborted) return
    gone.abort()
    listener?.onGone(cause)
  }
  const kill = (why: Error) => {
    log.warn({ err: why }, 'An engine process is killed')
    child.kill('SIGKILL')
  }

  child.once('error', end)
  const errors = readErrors(child.stderr, log)
  child.once('close', (code, by) => {
    log.info(
      { ...(code === null ? {} : { exitCode: code }), ...(by === null ? {} : { signal: by }) },
      'An engine process ended',
    )
    end(new EngineProcessEndedError(code, by, errors.lastWords()))
  })
  // Writing to a process that has just ended fails; that it ended is heard anyway.
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
    // Being closed while it starts is nobody's fault, and nothing to log.
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
    },
    send: (frame) => void child.stdin.write(frame),
    kill,
    async close() {
      if (gone.signal.aborted) return
      const ended = new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()))
      const timer = setTimeout(() => kill(new Error('the engine process did not end')), closeTimeoutMs)
      child.stdin.end()
      await ended
      clearTimeout(timer)
    },
  }
}
