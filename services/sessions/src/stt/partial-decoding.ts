/**
 * Partial texts by recognizers that know the text of an utterance only at its end: during the utterance, its audio so far is
 * decoded repeatedly.
 *
 * - There is one at most every 400 ms, so that audio that comes faster than speech is decoded once only, at its end.
 * - All partial decodings of a recognizer together take at most a quarter of one core: after each there is a pause of three
 *   times its length.
 * - A partial decoding only uses a process that is idle, and never one that an utterance at its end waits for.
 * - An utterance that has become so long that a decoding takes more than half a second gets no more partial texts, so
 *   that its final text does not wait longer than that.
 */
import type { Recognition } from './recognizer.js'
import type { Utterance } from './utterance.js'

/** The length of a pause, as a multiple of the decoding before it; it determines the share of a core. */
const pauseFactor = 3
const minIntervalMs = 400
const maxDecodingMs = 500
const samplesPerMs = 16

/** Schedules the partial decodings of one recognizer: one at a time. */
export interface PartialBudget {
  isDue(): boolean
  begin(): void
  /** Ends the decoding that began, and its pause begins. */
  end(durationMs: number): void
}

export const createPartialBudget = (now: () => number = () => performance.now()): PartialBudget => {
  let dueMs = 0
  return {
    isDue: () => now() >= dueMs,
    begin: () => {
      dueMs = Number.POSITIVE_INFINITY
    },
    end: (durationMs) => {
      dueMs = now() + durationMs * pauseFactor
    },
  }
}

export interface PartialDecodingOptions {
  readonly budget: PartialBudget
  /**
   * Decodes the samples, mono PCM at 16 kHz, with an idle process. Undefined where there is none. Rejects when the decoding
   * fails, which is no failure of the utterance.
   */
  decode(audio: readonly Int16Array[]): Promise<string> | undefined
  onText(text: string): void
  readonly now?: () => number
}

/** The partial texts of one utterance. */
export interface PartialDecoding {
  /** To be called with all audio of the utterance so far, after each part of it. */
  update(audio: readonly Int16Array[]): void
  /** No text is reported from now on. */
  stop(): void
}

export const createPartialDecoding = (options: PartialDecodingOptions): PartialDecoding => {
  const { budget, decode, onText, now = () => performance.now() } = options
  let decodedSamples = 0
  let startedMs = now()
  let isStopped = false

  const run = async (decoding: Promise<string>) => {
    budget.begin()
    startedMs = now()
    const text = await decoding.catch(() => undefined)
    const durationMs = now() - startedMs
    budget.end(durationMs)
    if (isStopped) return
    if (text === undefined || durationMs > maxDecodingMs) isStopped = true
    if (text !== undefined) onText(text)
  }

  return {
    update(audio) {
      if (isStopped || now() - startedMs < minIntervalMs || !budget.isDue()) return
      const sampleCount = audio.reduce((sum, { length }) => sum + length, 0)
      if (sampleCount - decodedSamples < minIntervalMs * samplesPerMs) return
      const decoding = decode(audio)
      if (decoding === undefined) return
      decodedSamples = sampleCount
      void run(decoding)
    },
    stop: () => {
      isStopped = true
    },
  }
}

/** A decoding of the audio so far, at a pause after which the utterance may be over. */
export interface Preview {
  /** Undefined where the decoding failed or was cancelled. */
  readonly text: Promise<string | undefined>
  cancel(): void
}

export interface WithPartialTextsOptions extends Pick<PartialDecodingOptions, 'budget' | 'decode'> {
  readonly utterance: Utterance
  /** Decodes the samples as at the end of an utterance. */
  preview(audio: readonly Int16Array[]): Preview
  /** Called at the end of the utterance, whose audio is decoded as a whole then. */
  onEnd(): void
}

/**
 * The recognition of an utterance that is decoded as a whole at its end, with partial texts until then. What was decoded for a
 * preview is not decoded again when only silence follows.
 */
export const withPartialTexts = ({ utterance, preview, onEnd, ...options }: WithPartialTextsOptions): Recognition => {
  const { recognition, kept, reportPartial, resolveWith } = utterance
  const partials = createPartialDecoding({ ...options, onText: reportPartial })
  let previewed: Preview | undefined
  return {
    push: (samples) => {
      recognition.push(samples)
      partials.update(kept)
    },
    preview: async () => {
      previewed?.cancel()
      const begun = preview(kept)
      previewed = begun
      const text = await begun.text
      if (text !== undefined && begun === previewed) reportPartial(text)
      return text
    },
    finish: ({ silentSincePreview = false } = {}) => {
      partials.stop()
      if (silentSincePreview && previewed !== undefined)
        void previewed.text.then((text) => (text === undefined ? onEnd() : resolveWith(text)))
      else {
        previewed?.cancel()
        previewed = undefined
        onEnd()
      }
      return recognition.finish()
    },
    cancel: () => {
      partials.stop()
      previewed?.cancel()
      recognition.cancel()
    },
  }
}
