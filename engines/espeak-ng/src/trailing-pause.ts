/**
 * The pause after a text, by eSpeak's own measure.
 *
 * eSpeak makes no pause at the end of a text, where it does not know that more follows. So each text is spoken with a silent
 * clause behind it: eSpeak pauses before that as the punctuation, the language and the speed ask for. What it makes after the
 * last sound is kept back here and measured; the audio ends shortly after that sound.
 */

/** Phoneme input, which eSpeak reads in any text: none, or one pause. */
const nothing = { text: ' [[ ]]', sounds: 1 }
const onePause = { text: ' [[_]]', sounds: 2 }

/** eSpeak reads what closes a quotation after its sentence with the next clause, and pauses for it only if that has a sound. */
const closedAfterEnd = /[.!?…,;:][\p{Pe}\p{Pf}\p{Pi}"']+\s*$/u

export interface SilentClause {
  /** To be put behind the text. */
  readonly text: string
  /** How many sounds eSpeak reports for it, its end included. */
  readonly sounds: number
}

export const silentClauseAfter = (text: string): SilentClause => (closedAfterEnd.test(text) ? onePause : nothing)

/** Silence that is left at the end of the audio. */
const tailMs = 20
/** Quieter than that is silence; an echo that is louder is not cut off. */
const silenceLevel = 50

export interface TrailingPause {
  /** A sound begins, a pause when `ipa` is empty. Sounds come before the audio in which they are. */
  sound(ipa: string, ms: number): void
  /** Passes on what is followed by a sound; answers whether more is wanted. The samples may be overwritten afterwards. */
  audio(samples: Int16Array): boolean
  /** The text has ended: passes on what belongs to its audio, and returns the pause after it, in ms. */
  end(): number
}

export const createTrailingPause = (
  { sounds: clauseSounds }: SilentClause,
  sampleRateHz: number,
  emit: (samples: Int16Array) => boolean,
): TrailingPause => {
  /** When the pauses began that nothing has followed yet. */
  let pausesMs: number[] = []
  let spoken = false
  /** Samples that were emitted, and those that are kept back. */
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
  /** The end of the last sample that is no silence. */
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
    sound(ipa, ms) {
      if (ipa === '') pausesMs.push(ms)
      else {
        pausesMs = []
        spoken = true
      }
    },

    audio(samples) {
      const pauseStart = pausesMs[0] === undefined ? Number.POSITIVE_INFINITY : atMs(pausesMs[0])
      if (!releaseUpTo(pauseStart)) return false
      if (kept.length === 0 && emitted + samples.length <= pauseStart) return pass(samples)
      const before = kept.length > 0 ? 0 : Math.max(0, pauseStart - emitted)
      if (!pass(samples.subarray(0, before))) return false
      kept.push(samples.slice(before))
      return true
    },

    end() {
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
