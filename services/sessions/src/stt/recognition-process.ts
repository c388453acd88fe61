/**
 * One process that recognizes speech, one utterance at a time.
 *
 * - An utterance is done when the process reports its end, or when the process has ended.
 * - A process that does not stop a cancelled utterance in time is killed.
 */
import { pcmAsBytes } from '@parlance/audio'
import { ServiceError } from '@parlance/contracts'
import {
  type EngineProcess,
  type EngineProcessOptions,
  failureOf,
  keepStartupErrors,
  openEngineProcess,
} from '@parlance/engine/client'
import {
  type Acoustics,
  encodeFrame,
  encodeJsonFrame,
  jsonOf,
  ProtocolError,
  type RecognizeCommand,
} from '@parlance/engine/protocol'
import { z } from 'zod'
import type { Decoding } from './utterance.js'

export interface RecognitionProcessOptions
  extends Pick<EngineProcessOptions<RecognizerHello>, 'command' | 'logger' | 'startTimeoutMs'> {
  /** From the cancellation of an utterance to the end of a process that still works on it. */
  readonly cancelTimeoutMs: number
}

export interface RecognitionProcess extends Pick<EngineProcess<RecognizerHello>, 'hello' | 'gone' | 'close'> {
  /** Begins an utterance after the one before is done. `onText` receives the whole text so far whenever it changes. */
  begin(command: RecognizeCommand, onText: (text: string) => void): Decoding<Acoustics>
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

const stopped = (cause?: unknown) =>
  new ServiceError('upstream_error', 'The speech recognition stopped while listening. Try again.', { cause })

/** Starts a process. Rejects as `openEngineProcess` does. */
export const openRecognitionProcess = async (
  { command, logger, startTimeoutMs, cancelTimeoutMs }: RecognitionProcessOptions,
  signal: AbortSignal,
): Promise<RecognitionProcess> => {
  const { hello, gone, listen, send, kill, close } = await openEngineProcess(
    { command, niceness, logger, startTimeoutMs, helloSchema, readErrors: keepStartupErrors },
    signal,
  )
  let lastJob = 0

  const begin: RecognitionProcess['begin'] = (command, onText) => {
    const job = ++lastJob
    const sendFrame = (kind: 'audio' | 'end' | 'cancel', payload?: Uint8Array) => send(encodeFrame(kind, job, payload))
    let cancelTimer: NodeJS.Timeout | undefined

    const done = new Promise<Acoustics>((resolve, reject) => {
      const settle = () => {
        listen(undefined)
        clearTimeout(cancelTimer)
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
    send(encodeJsonFrame('recognize', job, command))

    return {
      push: (samples) => sendFrame('audio', pcmAsBytes(samples)),
      finish: () => sendFrame('end'),
      cancel: () => {
        sendFrame('cancel')
        cancelTimer = setTimeout(() => kill(new Error('the process did not cancel an utterance')), cancelTimeoutMs)
      },
      done,
    }
  }

  return { hello, gone, begin, close }
}
