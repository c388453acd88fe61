/**
 * One process that recognises speech, seen from the service.
 *
 * - It hears one utterance at a time; one is over only when the process says so or is gone.
 * - A process that does not obey a cancel or breaks the protocol is killed, not argued with.
 * - It gets no environment, so a secret of the service cannot leak through it.
 * - What it writes to standard error is its last words where it does not start; later nobody looks at it, since it might
 *   quote what people say.
 * - It stands back behind the service, whose event loop plays every conversation's audio.
 */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import {
  type Acoustics,
  createFrameDecoder,
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  type HearCommand,
  jsonOf,
  ProtocolError,
} from '@parlance/engine-protocol'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import type { HeardUtterance } from './utterance.js'

export interface RecognitionProcessOptions {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly logger: Logger
  /** How long the process may take to say hello. */
  readonly startTimeoutMs: number
  /** An utterance that goes on for this long after it was cancelled is given up, and the process with it. */
  readonly cancelTimeoutMs: number
}

export interface RecognitionProcess {
  readonly hello: RecognizerHello
  /** Aborted when the process has ended, for whatever reason. */
  readonly gone: AbortSignal
  /** Begins an utterance; none goes on. `onText` is called with all that is understood of it, whenever that changes. */
  begin(command: HearCommand, onText: (text: string) => void): HeardUtterance<Acoustics>
  close(): Promise<void>
}

/** The process says itself that it cannot hear on this machine, and why: starting another would not help. */
export class RecognitionUnavailableError extends Error {
  override readonly name = 'RecognitionUnavailableError'
}

const helloSchema = z.object({
  engine: z.string().min(1),
  version: z.string(),
  sampleRateHz: z.literal(16_000),
  languages: z.array(z.string()).min(1),
  streaming: z.boolean(),
})
type RecognizerHello = z.infer<typeof helloSchema>
const textSchema = z.object({ text: z.string() })
const endSchema = z.object({ acoustics: z.array(z.number()).max(1000) })
const failureSchema = z.object({ message: z.string().max(1000) })

/** Of 0 to 19: little enough beside the service, and never nothing. */
const niceness = 5
const closeTimeoutMs = 1000

const maxErrors = 10_000
const maxReason = 300

/** The last line of what was written, without colours and without the place in its source that a library begins with. */
const lastWords = (errors: string): string => {
  const line = stripVTControlCharacters(errors).trim().split('\n').at(-1)!
  const reason = line
    .replace(/^(\S+:\w+:\d+ |\S+ \S+ \[E:.*?\] )/, '')
    .trim()
    .slice(0, maxReason)
  return reason === '' ? '' : `: ${reason}`
}

const stopped = (cause?: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition stopped while listening. Try again.', { cause })

const standBack = (pid: number): void => {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already, or the system does not let us: it hears as well at any priority.
  }
}

const bytesOf = (samples: Int16Array) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

/** Whoever is to be told of the process's frames and of its end: first the one that starts it, then the utterance. */
interface Listener {
  onFrame(frame: Frame): void
  onGone(cause: Error): void
}

/** Starts a process and waits for its hello. Rejects when it does not come, or the signal is aborted first. */
export const openRecognitionProcess = async (
  { command: [program, ...args], logger, startTimeoutMs, cancelTimeoutMs }: RecognitionProcessOptions,
  signal: AbortSignal,
): Promise<RecognitionProcess> => {
  const child = spawn(program, args, { env: {}, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'] })
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
    log.warn({ err: why }, 'A recognition process is killed')
    child.kill('SIGKILL')
  }
  child.once('error', end)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-maxErrors)
  })
  child.once('close', (code, by) => end(new Error(`the recognition process ended (${by ?? code})${lastWords(errors)}`)))
  // Writing to a process that has just ended fails; that it ended is heard anyway.
  child.stdin.on('error', () => {})
  const decode = createFrameDecoder()
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const frame of decode(chunk)) listener?.onFrame(frame)
    } catch (error) {
      kill(error as Error)
    }
  })

  const hello = await new Promise<RecognizerHello>((resolve, reject) => {
    const timer = setTimeout(() => kill(new Error('the recognition process did not start in time')), startTimeoutMs)
    // Being closed while it starts is nobody's fault, and nothing to log.
    const giveUp = () => child.kill('SIGKILL')
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
    listener = {
      onFrame: (frame) => {
        settle()
        if (frame.kind === 'hello') resolve(helloSchema.parse(jsonOf(frame)))
        else reject(new RecognitionUnavailableError(failureSchema.parse(jsonOf(frame)).message))
      },
      onGone: (cause) => {
        settle()
        reject(cause)
      },
    }
  })
  listener = undefined
  errors = ''
  child.stderr.removeAllListeners('data').resume()
  log.info({ engine: hello.engine }, 'A recognition process is ready')

  const begin: RecognitionProcess['begin'] = (command, onText) => {
    const job = ++lastJob
    const send = (kind: 'audio' | 'end' | 'cancel', payload?: Uint8Array) =>
      child.stdin.write(encodeFrame(kind, job, payload))
    let disobedience: NodeJS.Timeout | undefined

    const over = new Promise<Acoustics>((resolve, reject) => {
      const settle = () => {
        listener = undefined
        clearTimeout(disobedience)
      }
      const fail = (cause?: Error) => {
        settle()
        reject(stopped(cause))
      }
      if (gone.signal.aborted) return fail()
      listener = {
        onFrame: (frame) => {
          if (frame.job !== job) throw new ProtocolError('a frame of another job')
          if (frame.kind === 'text') onText(textSchema.parse(jsonOf(frame)).text)
          else if (frame.kind === 'end') {
            const { acoustics } = endSchema.parse(jsonOf(frame))
            settle()
            resolve(acoustics)
          } else fail(new Error(failureSchema.parse(jsonOf(frame)).message))
        },
        onGone: fail,
      }
    })
    child.stdin.write(encodeJsonFrame('hear', job, command))

    return {
      push: (samples) => send('audio', bytesOf(samples)),
      finish: () => send('end'),
      cancel: () => {
        send('cancel')
        disobedience = setTimeout(() => kill(new Error('the process did not cancel an utterance')), cancelTimeoutMs)
      },
      over,
    }
  }

  const close = async () => {
    if (gone.signal.aborted) return
    const ended = new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()))
    const timer = setTimeout(() => kill(new Error('the recognition process did not end')), closeTimeoutMs)
    child.stdin.end()
    await ended
    clearTimeout(timer)
  }

  return { hello, gone: gone.signal, begin, close }
}
