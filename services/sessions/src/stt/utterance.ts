/**
 * One utterance on its way to whatever hears it: a process of a pool, a socket to a server.
 *
 * - Its audio is kept until something takes it, and then goes to that as it comes.
 * - What is settled first counts: the text, a failure, the time that ran out, or that nobody wants it any more.
 * - It ends at `longestMs`: of what is said beyond that nothing is understood, and nothing kept.
 */
import type { ServiceError } from '@parlance/contracts'
import { tooLate } from './recognition-failure.js'
import type { Recognition, RecognitionOptions, Transcription } from './recognizer.js'

export interface UtteranceOptions {
  readonly longestMs: number
  /** From `finish` to the text. */
  readonly finishTimeoutMs: number
}

/** An utterance, seen by what hears it. */
export interface HeardUtterance<Learnt> {
  /** Mono PCM at 16 kHz. */
  push(samples: Int16Array): void
  finish(): void
  cancel(): void
  /** Settles when nothing of it goes on any more, to what was learnt of the voice; rejects with `ServiceError`. */
  readonly over: Promise<Learnt>
}

export interface Utterance {
  readonly recognition: Recognition
  /** Aborted when nobody waits for its text any more; where it failed, the reason is the `ServiceError`. */
  readonly settled: AbortSignal
  /**
   * Gives it to what hears it from now on, and tells `onText` all that it understands whenever that changes. Resolves when
   * it is over, to what was learnt of the voice, where something was understood.
   */
  hearBy<Learnt>(begin: (onText: (text: string) => void) => HeardUtterance<Learnt>): Promise<Learnt | undefined>
  fail(error: ServiceError): void
}

const samplesPerMs = 16
/** Well within a frame. */
const mostSamplesAtOnce = 16_000

export const createUtterance = (
  { onPartial }: Pick<RecognitionOptions, 'onPartial'>,
  { longestMs, finishTimeoutMs }: UtteranceOptions,
): Utterance => {
  const kept: Int16Array[] = []
  const settled = new AbortController()
  let heard: HeardUtterance<unknown> | undefined
  let sampleCount = 0
  let text = ''
  let finished = false
  let timer: NodeJS.Timeout | undefined

  let resolve: (transcription: Transcription) => void
  let reject: (error: Error) => void
  const result = new Promise<Transcription>((...functions) => {
    ;[resolve, reject] = functions
  })
  // Whoever finishes hears of a failure; until then it is kept.
  result.catch(() => {})

  /** True for the first that settles it. */
  const settle = (reason?: Error): boolean => {
    if (settled.signal.aborted) return false
    kept.length = 0
    clearTimeout(timer)
    settled.abort(reason)
    return true
  }
  const fail = (error: Error) => {
    if (settle(error)) reject(error)
  }
  const giveUp = (error: Error) => {
    if (settled.signal.aborted) return
    fail(error)
    heard?.cancel()
  }

  const recognition: Recognition = {
    push: (samples) => {
      if (settled.signal.aborted || finished) return
      const room = longestMs * samplesPerMs - sampleCount
      const taken = samples.subarray(0, Math.max(0, room))
      sampleCount += taken.length
      for (let at = 0; at < taken.length; at += mostSamplesAtOnce) {
        const part = taken.subarray(at, at + mostSamplesAtOnce)
        if (heard === undefined) kept.push(part.slice())
        else heard.push(part)
      }
    },
    finish: () => {
      finished = true
      if (settled.signal.aborted) return result
      heard?.finish()
      timer = setTimeout(() => giveUp(tooLate()), finishTimeoutMs)
      return result
    },
    cancel: () => giveUp(new DOMException('The recognition was cancelled.', 'AbortError')),
  }

  const hearBy: Utterance['hearBy'] = async (begin) => {
    const hearing = begin((understood) => {
      text = understood
      if (!settled.signal.aborted) onPartial(text)
    })
    heard = hearing
    for (const samples of kept.splice(0)) hearing.push(samples)
    if (finished) hearing.finish()
    try {
      const learnt = await hearing.over
      if (settle()) resolve({ text, audioMs: sampleCount / samplesPerMs })
      return text === '' ? undefined : learnt
    } catch (error) {
      fail(error as ServiceError)
      return undefined
    }
  }

  return { recognition, settled: settled.signal, hearBy, fail }
}
