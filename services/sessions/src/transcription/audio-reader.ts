/**
 * Decodes files and finds the speech in them, each in its own process with a limited time and memory, an empty environment and a
 * lower priority than conversations. The decoders read small parts, so that the output of each part is limited too.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import { lowerPriority } from '@parlance/engine/client'
import type { AudioReport, AudioTask } from './audio-process.js'
import type { CutUtterance } from './speech-cutter.js'

/** The speech of a file. */
interface ReadAudio {
  readonly durationMs: number
  readonly utterances: readonly CutUtterance[]
}

/**
 * Reads a file. Rejects with `invalid_request` when it cannot be decoded, with `payload_too_large` for more audio than
 * `maxDurationMs`, with `upstream_timeout` when it takes too long, and with the reason of the signal. A file whose header states
 * its length is refused before any of it is decoded. `onProgress` is called for about each minute of decoded audio.
 */
export type ReadAudioFile = (
  file: Uint8Array,
  signal: AbortSignal,
  onProgress?: (durationMs: number) => void,
) => Promise<ReadAudio>

interface AudioReaderOptions {
  readonly maxDurationMs: number
  /** How long the work on one file may take. Default 120,000. */
  readonly timeoutMs?: number
}

const program = () => fileURLToPath(import.meta.resolve('@parlance/service-sessions/audio-process'))
const niceness = 5

const startProcess = () => {
  const child = fork(program(), {
    env: {},
    execArgv: ['--max-old-space-size=128', '--max-semi-space-size=16'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child.pid, niceness)
  return child
}

const broken = (detail: string) => new ServiceError('invalid_request', `file: ${detail}`)
const tooLong = (maxDurationMs: number) =>
  new ServiceError('payload_too_large', `file: The audio is longer than ${maxDurationMs / 1000} seconds.`)
const tooSlow = () => new ServiceError('upstream_timeout', 'The file could not be decoded in time.')
/** A fault of a decoder is caused by its file. */
const failed = (cause: unknown) => new ServiceError('invalid_request', 'file: The audio cannot be decoded.', { cause })

export const createAudioReader =
  ({ maxDurationMs, timeoutMs = 120_000 }: AudioReaderOptions): ReadAudioFile =>
  async (file, signal, onProgress) => {
    signal.throwIfAborted()
    const child = startProcess()
    const utterances: CutUtterance[] = []
    let timer: NodeJS.Timeout | undefined
    let abandon = () => {}
    try {
      return await new Promise<ReadAudio>((resolve, reject) => {
        timer = setTimeout(() => reject(tooSlow()), timeoutMs)
        abandon = () => reject(signal.reason)
        signal.addEventListener('abort', abandon, { once: true })
        child.on('message', (report: AudioReport) => {
          if (report.kind === 'utterance') utterances.push(report)
          else if (report.kind === 'progress') onProgress?.(report.durationMs)
          else if (report.kind === 'end') resolve({ durationMs: report.durationMs, utterances })
          else if (report.kind === 'too long') reject(tooLong(maxDurationMs))
          else reject(report.kind === 'broken' ? broken(report.detail) : failed(new Error(report.reason)))
        })
        child.once('error', (error) => reject(failed(error)))
        child.once('exit', (code, by) => reject(failed(new Error(`the process ended (${by ?? code})`))))
        child.send({ file, maxDurationMs } satisfies AudioTask, (error) => error !== null && reject(failed(error)))
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abandon)
      child.kill('SIGKILL')
    }
  }
