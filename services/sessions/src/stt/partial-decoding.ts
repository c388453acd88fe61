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

type PartialBudget = ReturnType<typeof createPartialBudget>

/** Schedules the partial decodings of one recognizer: one at a time. */
export const createPartialBudget = () => {
  let dueMs = 0
  return {
    isDue: (): boolean => performance.now() >= dueMs,
    begin: () => {
      dueMs = Number.POSITIVE_INFINITY
    },
    /** Ends the decoding that began, and its pause begins. */
    end: (durationMs: number) => {
      dueMs = performance.now() + durationMs * pauseFactor
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
}

/** The partial texts of one utterance. */
export const createPartialDecoding = (options: PartialDecodingOptions) => {
  const { budget, decode, onText } = options
  let decodedSamples = 0
  let startedMs = performance.now()
  let isStopped = false

  const run = async (decoding: Promise<string>) => {
    budget.begin()
    startedMs = performance.now()
    const text = await decoding.catch(() => undefined)
    const durationMs = performance.now() - startedMs
    budget.end(durationMs)
    if (isStopped) return
    if (text === undefined || durationMs > maxDecodingMs) isStopped = true
    if (text !== undefined) onText(text)
  }

  return {
    /** To be called with all audio of the utterance so far, after each part of it. */
    update(audio: readonly Int16Array[]) {
      if (isStopped || performance.now() - startedMs < minIntervalMs || !budget.isDue()) return
      const sampleCount = audio.reduce((sum, { length }) => sum + length, 0)
      if (sampleCount - decodedSamples < minIntervalMs * samplesPerMs) return
      const decoding = decode(audio)
      if (decoding === undefined) return
      decodedSamples = sampleCount
      void run(decoding)
    },
    /** No text is reported from now on. */
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

export interface WithPartialTextsOptions {
  readonly utterance: Utterance
  /** Left out for an utterance without partial texts. */
  readonly partials?: Pick<PartialDecodingOptions, 'budget' | 'decode'> | undefined
  /** Decodes the samples as at the end of an utterance. */
  preview(audio: readonly Int16Array[]): Preview
  /** Called at the end of the utterance, whose audio is decoded as a whole then. */
  onEnd(): void
}

/**
 * The recognition of an utterance that is decoded as a whole at its end, with partial texts until then. What was decoded for a
 * preview is not decoded again when only silence follows.
 */
export const withPartialTexts = (options: WithPartialTextsOptions): Recognition => {
  const { utterance, preview, onEnd } = options
  const { recognition, kept, reportPartial, resolveWith } = utterance
  const partials = options.partials && createPartialDecoding({ ...options.partials, onText: reportPartial })
  let previewed: Preview | undefined
  return {
    push: (samples) => {
      recognition.push(samples)
      partials?.update(kept)
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
      partials?.stop()
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
      partials?.stop()
      previewed?.cancel()
      recognition.cancel()
    },
  }
}
