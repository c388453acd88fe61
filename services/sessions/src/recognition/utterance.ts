/**
 * One utterance on its way through a pool of processes.
 *
 * - Its audio is kept until a process takes it, and then goes to that as it comes.
 * - What is settled first counts: the text, a failure, the time that ran out, or that nobody wants it any more.
 * - It ends at `longestMs`: of what is said beyond that nothing is understood, and nothing kept.
 */
import { ServiceError } from '@parlance/contracts'
import type { Acoustics } from '@parlance/engine-protocol'
import type { HeardUtterance, RecognitionProcess } from './recognition-process.js'
import type { Recognition, RecognitionOptions, Transcription } from './recognizer.js'

export interface UtteranceOptions {
  readonly longestMs: number
  /** From `finish` to the text. */
  readonly finishTimeoutMs: number
}

export interface Utterance {
  readonly recognition: Recognition
  /** Whether nobody waits for its text any more. */
  isSettled(): boolean
  /**
   * Gives it to a process that is free. Resolves when the process is free again, or gone; to what was learnt of the voice,
   * where something was understood.
   */
  hearBy(process: RecognitionProcess, acoustics: Acoustics | null): Promise<Acoustics | undefined>
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
  let heard: HeardUtterance | undefined
  let sampleCount = 0
  let text = ''
  let finished = false
  let settled = false
  let timer: NodeJS.Timeout | undefined

  let resolve: (transcription: Transcription) => void
  let reject: (error: Error) => void
  const result = new Promise<Transcription>((...functions) => {
    ;[resolve, reject] = functions
  })
  // Whoever finishes hears of a failure; until then it is kept.
  result.catch(() => {})

  /** True for the first that settles it. */
  const settle = (): boolean => {
    if (settled) return false
    settled = true
    kept.length = 0
    clearTimeout(timer)
    return true
  }
  const fail = (error: Error) => {
    if (settle()) reject(error)
  }
  const giveUp = (error: Error) => {
    if (settled) return
    fail(error)
    heard?.cancel()
  }

  const recognition: Recognition = {
    push: (samples) => {
      if (settled || finished) return
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
      if (settled) return result
      heard?.finish()
      const late = () =>
        giveUp(new ServiceError('upstream_timeout', 'The speech recognition did not answer in time. Try again.'))
      timer = setTimeout(late, finishTimeoutMs)
      return result
    },
    cancel: () => giveUp(new DOMException('The recognition was cancelled.', 'AbortError')),
  }

  const hearBy: Utterance['hearBy'] = async (process, acoustics) => {
    heard = process.begin({ acoustics }, (understood) => {
      text = understood
      if (!settled) onPartial(text)
    })
    for (const samples of kept.splice(0)) heard.push(samples)
    if (finished) heard.finish()
    try {
      const learnt = await heard.over
      if (settle()) resolve({ text, audioMs: sampleCount / samplesPerMs })
      return text === '' ? undefined : learnt
    } catch (error) {
      fail(error as ServiceError)
      return undefined
    }
  }

  return { recognition, isSettled: () => settled, hearBy, fail }
}
