/**
 * One process that recognises speech, and the utterance that it hears.
 *
 * - It hears one utterance at a time; one is over only when the process says so or is gone.
 * - A process that does not obey a cancel is killed, not argued with.
 */
import { ServiceError } from '@parlance/contracts'
import {
  type EngineProcess,
  type EngineProcessOptions,
  failureOf,
  keepLastWords,
  openEngineProcess,
} from '@parlance/engine/client'
import {
  type Acoustics,
  encodeFrame,
  encodeJsonFrame,
  type HearCommand,
  jsonOf,
  ProtocolError,
} from '@parlance/engine/protocol'
import { z } from 'zod'
import type { HeardUtterance } from './utterance.js'

export interface RecognitionProcessOptions
  extends Pick<EngineProcessOptions<RecognizerHello>, 'command' | 'logger' | 'startTimeoutMs'> {
  /** An utterance that goes on for this long after it was cancelled is given up, and the process with it. */
  readonly cancelTimeoutMs: number
}

export interface RecognitionProcess extends Pick<EngineProcess<RecognizerHello>, 'hello' | 'gone' | 'close'> {
  /** Begins an utterance; none goes on. `onText` is called with all that is understood of it, whenever that changes. */
  begin(command: HearCommand, onText: (text: string) => void): HeardUtterance<Acoustics>
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

/** Of 0 to 19: little enough beside the service, and never nothing. */
const niceness = 5

const stopped = (cause?: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition stopped while listening. Try again.', { cause })

const bytesOf = (samples: Int16Array) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

/** Starts a process. Rejects as `openEngineProcess` does. */
export const openRecognitionProcess = async (
  { command, logger, startTimeoutMs, cancelTimeoutMs }: RecognitionProcessOptions,
  signal: AbortSignal,
): Promise<RecognitionProcess> => {
  const { hello, gone, listen, send, kill, close } = await openEngineProcess(
    { command, niceness, logger, startTimeoutMs, helloSchema, readErrors: keepLastWords },
    signal,
  )
  let lastJob = 0

  const begin: RecognitionProcess['begin'] = (command, onText) => {
    const job = ++lastJob
    const tell = (kind: 'audio' | 'end' | 'cancel', payload?: Uint8Array) => send(encodeFrame(kind, job, payload))
    let disobedience: NodeJS.Timeout | undefined

    const over = new Promise<Acoustics>((resolve, reject) => {
      const settle = () => {
        listen(undefined)
        clearTimeout(disobedience)
      }
      const fail = (cause?: Error) => {
        settle()
        reject(stopped(cause))
      }
      if (gone.aborted) return fail()
      listen({
        onFrame: (frame) => {
          if (frame.job !== job) throw new ProtocolError('a frame of another job')
          if (frame.kind === 'text') onText(textSchema.parse(jsonOf(frame)).text)
          else if (frame.kind === 'end') {
            const { acoustics } = endSchema.parse(jsonOf(frame))
            settle()
            resolve(acoustics)
          } else fail(new Error(failureOf(frame)))
        },
        onGone: fail,
      })
    })
    send(encodeJsonFrame('hear', job, command))

    return {
      push: (samples) => tell('audio', bytesOf(samples)),
      finish: () => tell('end'),
      cancel: () => {
        tell('cancel')
        disobedience = setTimeout(() => kill(new Error('the process did not cancel an utterance')), cancelTimeoutMs)
      },
      over,
    }
  }

  return { hello, gone, begin, close }
}
