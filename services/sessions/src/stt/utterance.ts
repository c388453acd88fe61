/**
 * One utterance, from its audio to its recognizer: a process of a pool, or a socket to a server.
 *
 * - Its audio is kept until a decoding takes it. Later audio goes to the decoding at once.
 * - The first outcome counts: the text, a failure, the time limit or the cancellation.
 * - A preview reports the text so far of the decoding.
 * - Audio after `maxUtteranceMs` is dropped.
 */
import { ServiceError } from '@parlance/contracts'
import { recognizedWords } from '@parlance/engine/protocol'
import type { Logger } from '@parlance/telemetry'
import { tooLate } from './recognition-failure.js'
import type { Recognition, RecognitionOptions, RecognizedWord, Transcription } from './recognizer.js'

export interface UtteranceOptions {
  readonly maxUtteranceMs: number
  /** From `finish` to the text. */
  readonly finishTimeoutMs: number
}

/** An utterance as its recognizer receives it. */
export interface Decoding<Result> {
  /** Mono PCM at 16 kHz. */
  push(samples: Int16Array): void
  /** Resolves when the text covers all audio so far; to false where that is not known in time. Never rejects. */
  preview?(): Promise<boolean>
  finish(): void
  /** Has no effect once it is done. */
  cancel(): void
  /** Settles when no work for the utterance is in progress. Rejects with `ServiceError`. */
  readonly done: Promise<Result>
}

/** Receives the whole text so far, and its words where their times are known. */
export type OnText = (text: string, words?: readonly RecognizedWord[]) => void

export interface Utterance {
  readonly recognition: Recognition
  /** The audio that no decoding has taken yet. */
  readonly kept: readonly Int16Array[]
  /** Aborted when the outcome is known. The reason of a failed utterance is the `ServiceError`. */
  readonly settled: AbortSignal
  /**
   * Starts the decoding, which reports the whole text so far by `onText` whenever it changes. Resolves when the decoding is
   * done: to its result, or to undefined when it failed or there was no text. Never rejects.
   */
  decodeBy<Result>(begin: (onText: OnText) => Decoding<Result>): Promise<Result | undefined>
  /** Reports a text so far that is not of the decoding, unless the outcome is known or the text is the last one. */
  reportPartial(text: string): void
  /** Takes the text as the result, without the end of a decoding. */
  resolveWith(text: string): void
  /** Cancels the decoding too. */
  fail(error: ServiceError): void
}

const samplesPerMs = 16
/** A part is sent in one frame of the engine protocol. */
const maxSamplesPerPart = 16_000

export const createUtterance = (
  { onPartial }: Pick<RecognitionOptions, 'onPartial'>,
  { maxUtteranceMs, finishTimeoutMs }: UtteranceOptions,
): Utterance => {
  const kept: Int16Array[] = []
  const settled = new AbortController()
  let decoding: Decoding<unknown> | undefined
  let sampleCount = 0
  let text = ''
  let words: readonly RecognizedWord[] | undefined
  let lastPartial = ''
  let isFinished = false
  /** Of the last preview: whether the text covered all audio until then. */
  let previewed: Promise<boolean> | undefined
  let timer: NodeJS.Timeout | undefined

  let resolve: (transcription: Transcription) => void
  let reject: (error: Error) => void
  const result = new Promise<Transcription>((...functions) => {
    ;[resolve, reject] = functions
  })
  // The failure of an utterance that nothing waits for yet is reported by `finish`.
  result.catch(() => {})

  /** True for the first outcome. */
  const settle = (reason?: Error): boolean => {
    if (settled.signal.aborted) return false
    kept.length = 0
    clearTimeout(timer)
    settled.abort(reason)
    return true
  }
  const fail = (error: Error) => {
    if (!settle(error)) return
    reject(error)
    decoding?.cancel()
  }

  const resolveWith = (result: string, wordsOfResult?: readonly RecognizedWord[]) => {
    if (settle()) resolve({ text: result, words: wordsOfResult, audioMs: sampleCount / samplesPerMs })
  }

  const reportPartial = (partial: string) => {
    if (settled.signal.aborted || partial === lastPartial) return
    lastPartial = partial
    onPartial(partial)
  }

  const recognition: Recognition = {
    push: (samples) => {
      if (settled.signal.aborted || isFinished) return
      const room = maxUtteranceMs * samplesPerMs - sampleCount
      const taken = samples.subarray(0, Math.max(0, room))
      sampleCount += taken.length
      for (let at = 0; at < taken.length; at += maxSamplesPerPart) {
        const part = taken.subarray(at, at + maxSamplesPerPart)
        if (decoding === undefined) kept.push(part.slice())
        else decoding.push(part)
      }
    },
    preview: async () => {
      previewed = decoding?.preview?.()
      await previewed
      return decoding === undefined || settled.signal.aborted ? undefined : text
    },
    finish: ({ silentSincePreview = false } = {}) => {
      isFinished = true
      if (settled.signal.aborted) return result
      if (silentSincePreview && previewed !== undefined)
        void previewed.then((isWhole) => (isWhole ? resolveWith(text, words) : decoding?.finish()))
      else decoding?.finish()
      timer = setTimeout(() => fail(tooLate()), finishTimeoutMs)
      return result
    },
    cancel: () => fail(new DOMException('The recognition was cancelled.', 'AbortError')),
  }

  const decodeBy: Utterance['decodeBy'] = async (begin) => {
    const begun = begin((textSoFar, wordsSoFar) => {
      text = recognizedWords(textSoFar)
      words = text === '' || wordsSoFar?.length === 0 ? undefined : wordsSoFar
      reportPartial(text)
    })
    decoding = begun
    for (const samples of kept.splice(0)) begun.push(samples)
    if (isFinished) begun.finish()
    try {
      const learned = await begun.done
      resolveWith(text, words)
      return text === '' ? undefined : learned
    } catch (error) {
      fail(error as ServiceError)
      return undefined
    }
  }

  return { recognition, kept, settled: settled.signal, decodeBy, reportPartial, resolveWith, fail }
}

/** Logs the failure of an utterance, if it fails. */
export const logFailure = ({ settled }: Utterance, logger: Logger): void =>
  settled.addEventListener('abort', () => {
    const { reason } = settled
    if (!(reason instanceof ServiceError) || reason.code === 'draining') return
    logger.warn({ err: reason.cause ?? reason }, 'An utterance was not recognized')
  })
