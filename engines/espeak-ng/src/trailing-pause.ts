/**
 * Measures the pause that eSpeak makes after a text.
 *
 * eSpeak makes no pause at the end of a text, since it does not know that more follows. Therefore each text is spoken with a
 * silent clause after it: eSpeak pauses before that clause as the punctuation, the language and the speed require. The audio
 * after the last sound is buffered and measured here; the audio that is passed on ends shortly after that sound.
 */

/** Phoneme input, which eSpeak reads in any text: no phoneme, or one pause. */
const nothing = { text: ' [[ ]]', sounds: 1 }
const onePause = { text: ' [[_]]', sounds: 2 }

/** eSpeak reads a quotation mark after a full stop as part of the next clause, and pauses only if that clause has a sound. */
const closedAfterEnd = /[.!?…,;:][\p{Pe}\p{Pf}\p{Pi}"']+\s*$/u

interface SilentClause {
  /** Appended to the text. */
  readonly text: string
  /** How many sounds eSpeak reports for it, its end included. */
  readonly sounds: number
}

export const silentClauseAfter = (text: string): SilentClause => (closedAfterEnd.test(text) ? onePause : nothing)

/** Silence that is left at the end of the audio. */
const tailMs = 20
/** Samples of at most this size are silence. A louder echo is not cut off. */
const silenceLevel = 50

export const createTrailingPause = (
  { sounds: clauseSounds }: SilentClause,
  sampleRateHz: number,
  emit: (samples: Int16Array) => boolean,
) => {
  /** The start times of the pauses after the last sound. */
  let pausesMs: number[] = []
  let spoken = false
  /** The number of samples passed on, and the samples buffered. */
  let emitted = 0
  let kept: Int16Array[] = []

  const pass = (samples: Int16Array): boolean => {
    if (samples.length === 0) return true
    emitted += samples.length
    return emit(samples)
  }
  const releaseUpTo = (end: number): boolean => {
    const released = kept
    kept = []
    for (const samples of released) {
      const wanted = Math.max(0, Math.min(samples.length, end - emitted))
      if (!pass(samples.subarray(0, wanted))) return false
      if (wanted < samples.length) kept.push(samples.subarray(wanted))
    }
    return true
  }
  /** Returns the end of the last sample that is not silence. */
  const soundEnd = (): number => {
    let end = emitted + kept.reduce((sum, { length }) => sum + length, 0)
    for (const samples of kept.toReversed()) {
      const last = samples.findLastIndex((sample) => Math.abs(sample) > silenceLevel)
      if (last >= 0) return end - samples.length + last + 1
      end -= samples.length
    }
    return emitted
  }
  const atMs = (ms: number) => Math.round((ms * sampleRateHz) / 1000)

  return {
    /** A sound begins; a pause when `ipa` is empty. Each sound is reported before the audio that contains it. */
    sound(ipa: string, ms: number): void {
      if (ipa === '') pausesMs.push(ms)
      else {
        pausesMs = []
        spoken = true
      }
    },

    /** Passes on the audio before the last sound; returns whether more is wanted. The samples may be overwritten afterwards. */
    audio(samples: Int16Array): boolean {
      const pauseStart = pausesMs[0] === undefined ? Number.POSITIVE_INFINITY : atMs(pausesMs[0])
      if (!releaseUpTo(pauseStart)) return false
      if (kept.length === 0 && emitted + samples.length <= pauseStart) return pass(samples)
      const before = kept.length > 0 ? 0 : Math.max(0, pauseStart - emitted)
      if (!pass(samples.subarray(0, before))) return false
      kept.push(samples.slice(before))
      return true
    },

    /** The text has ended: passes on the rest of its audio and returns the pause after it, in ms. */
    end(): number {
      if (!spoken) return 0
      const [pauseMs] = pausesMs
      if (pauseMs === undefined || pausesMs.length <= clauseSounds) {
        releaseUpTo(Number.POSITIVE_INFINITY)
        return 0
      }
      const nextMs = pausesMs.at(-1 - clauseSounds)!
      // At a high speed an echo may last longer than the pause.
      const end = Math.min(Math.max(atMs(pauseMs), soundEnd()) + atMs(tailMs), atMs(nextMs))
      if (!releaseUpTo(end)) return 0
      return Math.max(0, Math.round(nextMs - (emitted * 1000) / sampleRateHz))
    },
  }
}
