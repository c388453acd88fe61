/**
 * Speech recognition by processes on this machine.
 *
 * - An utterance gets a process with its first sample, so that most of it is decoded when it ends; or at its end, when the
 *   engine decodes whole utterances. Its partial texts are then made as `partial-decoding.ts` describes.
 * - When no process is idle the utterance waits and its audio is kept. Decoding is several times faster than speech, so the
 *   process catches up.
 * - Cancelling an utterance frees its process at once.
 * - A process that ends fails its utterance. The next utterance gets another process.
 */
import { draining, ServiceError } from '@parlance/contracts'
import type { Acoustics } from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import { createPartialBudget, withPartialTexts } from './partial-decoding.js'
import { openRecognitionProcess, type RecognitionProcess } from './recognition-process.js'
import { createRecognitionProcessPool } from './recognition-process-pool.js'
import type { Recognizer } from './recognizer.js'
import { createUtterance, type Utterance } from './utterance.js'
import { createUtteranceQueue, type QueuedUtterance } from './utterance-queue.js'

export interface ProcessRecognizerOptions {
  readonly name: string
  readonly logger: Logger
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly maxProcesses: number
  /** Utterances that may wait for each process. Default 8. */
  readonly maxWaitingPerProcess?: number
  /** Audio of one utterance that is recognized; the rest is dropped. Default 120,000. */
  readonly maxUtteranceMs?: number
  /** From the end of an utterance to its text. Default 10,000. */
  readonly finishTimeoutMs?: number
  /** The same for a recording, which may have to wait for conversations. Default 60,000. */
  readonly recordingTimeoutMs?: number
  /** From the cancellation of an utterance to the end of a process that still works on it. Default 2,000. */
  readonly cancelTimeoutMs?: number
  /** A process that was idle for so long ends, unless a conversation in progress needs it. Default 300,000. */
  readonly idleMs?: number
  /** How long a process may take to start. Default 30,000. */
  readonly startTimeoutMs?: number
  /** As in `Recognizer`. */
  readonly quality?: number | undefined
}

const doesNotStart = (cause: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition does not start. Try again later.', { cause })

/**
 * Starts one process to see that the engine works, and ends it. Rejects when the process does not start; with an
 * `EngineUnavailableError`, which says what is missing, when the engine cannot work on this machine.
 */
export const openProcessRecognizer = async ({
  name,
  logger,
  command,
  maxProcesses,
  maxWaitingPerProcess = 8,
  maxUtteranceMs = 120_000,
  finishTimeoutMs = 10_000,
  recordingTimeoutMs = 60_000,
  cancelTimeoutMs = 2000,
  idleMs = 300_000,
  startTimeoutMs = 30_000,
  quality,
}: ProcessRecognizerOptions): Promise<Recognizer> => {
  const processOptions = { command, logger, startTimeoutMs, cancelTimeoutMs }
  const { hello, close: closeTrial } = await openRecognitionProcess(processOptions, new AbortController().signal)
  await closeTrial()

  const active = new Set<Utterance>()
  /** What was learnt of the voice of each speaker. */
  const acousticsOf = new WeakMap<object, Acoustics>()

  const recognize = async (process: RecognitionProcess, { utterance, language, speaker }: QueuedUtterance) => {
    active.add(utterance)
    const command = { language, acoustics: acousticsOf.get(speaker) ?? null }
    const acoustics = await utterance.decodeBy((onText) => process.begin(command, onText))
    if (acoustics !== undefined) acousticsOf.set(speaker, acoustics)
    active.delete(utterance)
    pool.release(process)
  }

  const pool = createRecognitionProcessPool({
    ...processOptions,
    maxProcesses,
    idleMs,
    onRoom: () => queue.assign(),
    onUnavailable: (cause) => queue.fail(doesNotStart(cause)),
  })
  const queue = createUtteranceQueue({ pool, maxWaiting: maxWaitingPerProcess * maxProcesses, recognize })

  const budget = createPartialBudget()

  /** Decodes the audio of an utterance that goes on; undefined while no process is idle. */
  const decodeSoFar = (language: string, audio: readonly Int16Array[]): Promise<string> | undefined => {
    const process = queue.isEmpty() ? pool.take() : undefined
    if (process === undefined) return undefined
    const utterance = createUtterance({ onPartial: () => {} }, { maxUtteranceMs, finishTimeoutMs })
    for (const samples of audio) utterance.recognition.push(samples)
    const finished = utterance.recognition.finish()
    void recognize(process, { utterance, language, speaker: utterance, isRecording: false })
    return finished.then(({ text }) => text)
  }

  return {
    name,
    languages: hello.languages,
    quality,
    isSlow: hello.pace !== undefined && hello.pace < 1,
    keepWarm: pool.keepWarm,
    open: (options) => {
      const { language, speaker, isRecording = false } = options
      const timeoutMs = isRecording ? recordingTimeoutMs : finishTimeoutMs
      const utterance = createUtterance(options, { maxUtteranceMs, finishTimeoutMs: timeoutMs })
      const queued = { utterance, language, speaker: speaker ?? utterance, isRecording }
      if (hello.streaming) {
        queue.enqueue(queued)
        return utterance.recognition
      }
      const decode = (audio: readonly Int16Array[]) => (isRecording ? undefined : decodeSoFar(language, audio))
      return withPartialTexts({ utterance, budget, decode, onEnd: () => queue.enqueue(queued) })
    },
    close: async () => {
      queue.close(draining())
      for (const utterance of active) utterance.fail(draining())
      await pool.close()
    },
  }
}
