/**
 * Speech recognition by processes on this machine.
 *
 * - An utterance gets a process with its first sample, so that most of it is decoded when it ends; or at its end, when the
 *   engine decodes whole utterances. Its partial texts are then made as `partial-decoding.ts` describes.
 * - A preview of an utterance that is decoded as a whole is decoded as its end would be, and the end then uses its result.
 * - When no process is idle the utterance waits and its audio is kept. Decoding is several times faster than speech, so the
 *   process catches up.
 * - Cancelling an utterance frees its process at once.
 * - A process that ends fails its utterance. The next utterance gets another process.
 */
import { pcmAsBytes } from '@parlance/audio'
import { draining, ServiceError } from '@parlance/contracts'
import {
  EnginePool,
  EnginePoolClosedError,
  EnginePoolFullError,
  type EngineProcess,
  keepStartupErrors,
  type PoolJob,
} from '@parlance/engine/client'
import {
  type Acoustics,
  encodeJsonFrame,
  jsonOf,
  ProtocolError,
  type RecognizeCommand,
} from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import { createPartialBudget, type Preview, withPartialTexts } from './partial-decoding.js'
import { noRoom } from './recognition-failure.js'
import type { RecognitionOptions, Recognizer } from './recognizer.js'
import { createUtterance, type Decoding, type Utterance } from './utterance.js'

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

const helloSchema = z.object({
  engine: z.string().min(1),
  version: z.string(),
  sampleRateHz: z.literal(16_000),
  languages: z.array(z.string()).min(1),
  streaming: z.boolean(),
  pace: z.number().positive().optional(),
})
type RecognizerHello = z.infer<typeof helloSchema>
const textSchema = z.object({ text: z.string() })
const endSchema = z.object({ acoustics: z.array(z.number()).max(1000) })

/** From 0 to 19: the service itself goes first, but the process is not starved. */
const niceness = 5

const stopped = (cause: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition stopped while listening. Try again.', { cause })
const doesNotStart = (cause: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition does not start. Try again later.', { cause })

/** The error of an utterance that no process recognizes. */
const refusalOf = (cause: unknown): ServiceError => {
  if (cause instanceof EnginePoolClosedError) return draining()
  return cause instanceof EnginePoolFullError ? noRoom() : doesNotStart(cause)
}

/** Begins an utterance in a process. `onText` receives the whole text so far whenever it changes. */
const decodeIn = (
  process: EngineProcess<RecognizerHello>,
  command: RecognizeCommand,
  { cancelTimeoutMs, onText }: { cancelTimeoutMs: number; onText: (text: string) => void },
): Decoding<Acoustics> => {
  const { send, cancel, done } = process.begin((job) => encodeJsonFrame('recognize', job, command), {
    onFrame(frame) {
      if (frame.kind !== 'text') throw new ProtocolError(`an unexpected frame: ${frame.kind}`)
      onText(textSchema.parse(jsonOf(frame)).text)
    },
    readEnd: (frame) => endSchema.parse(jsonOf(frame)).acoustics,
    cancelTimeoutMs,
  })
  return {
    push: (samples) => send('audio', pcmAsBytes(samples)),
    finish: () => send('end'),
    cancel,
    done: done.catch((cause: unknown) => {
      throw stopped(cause)
    }),
  }
}

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
  const pool = new EnginePool<RecognizerHello>({
    command,
    logger,
    niceness,
    startTimeoutMs,
    helloSchema,
    readErrors: keepStartupErrors,
    maxProcesses,
    minProcesses: 0,
    idleMs,
    maxWaiting: maxWaitingPerProcess * maxProcesses,
  })
  const hello = (await pool.open())!

  /** What was learned of the voice of each speaker. */
  const acousticsOf = new WeakMap<object, Acoustics>()

  const jobOf = (
    utterance: Utterance,
    { language, speaker = utterance, isRecording = false }: Omit<RecognitionOptions, 'onPartial'>,
  ): PoolJob<RecognizerHello> => ({
    isBackground: isRecording,
    async run(process) {
      if (utterance.settled.aborted) return
      const command = { language, acoustics: acousticsOf.get(speaker) ?? null }
      const acoustics = await utterance.decodeBy((onText) => decodeIn(process, command, { cancelTimeoutMs, onText }))
      if (acoustics !== undefined) acousticsOf.set(speaker, acoustics)
    },
    fail: (cause) => utterance.fail(refusalOf(cause)),
  })
  const enqueue = (utterance: Utterance, options: Omit<RecognitionOptions, 'onPartial'>) => {
    if (utterance.settled.aborted) return
    const job = jobOf(utterance, options)
    utterance.settled.addEventListener('abort', () => pool.remove(job), { once: true })
    pool.add(job)
  }

  const budget = createPartialBudget()

  /** The audio so far of an utterance that goes on is decoded as an utterance of its own. */
  const createCopy = () => createUtterance({ onPartial: () => {} }, { maxUtteranceMs, finishTimeoutMs })
  const finishCopy = ({ recognition }: Utterance, audio: readonly Int16Array[]): Promise<string> => {
    for (const samples of audio) recognition.push(samples)
    return recognition.finish().then(({ text }) => text)
  }
  /** Undefined while no process is idle. */
  const decodeSoFar = (language: string, audio: readonly Int16Array[]): Promise<string> | undefined => {
    const copy = createCopy()
    return pool.addToIdle(jobOf(copy, { language })) ? finishCopy(copy, audio) : undefined
  }
  const preview = (language: string, audio: readonly Int16Array[]): Preview => {
    const copy = createCopy()
    enqueue(copy, { language })
    return { text: finishCopy(copy, audio).catch(() => undefined), cancel: copy.recognition.cancel }
  }

  return {
    name,
    languages: hello.languages,
    quality,
    isSlow: hello.pace !== undefined && hello.pace < 1,
    keepWarm: () => pool.keepWarm(),
    open: (options) => {
      const { language, isRecording = false } = options
      const timeoutMs = isRecording ? recordingTimeoutMs : finishTimeoutMs
      const utterance = createUtterance(options, { maxUtteranceMs, finishTimeoutMs: timeoutMs })
      if (hello.streaming) {
        enqueue(utterance, options)
        return utterance.recognition
      }
      return withPartialTexts({
        utterance,
        partials: isRecording ? undefined : { budget, decode: (audio) => decodeSoFar(language, audio) },
        preview: (audio) => preview(language, audio),
        onEnd: () => enqueue(utterance, options),
      })
    },
    close: () => pool.close(),
  }
}
