/** A pause of the user, after which the utterance may continue. */
export interface Pause {
  readonly name: 'pause'
  readonly sinceMs: number
  /** Whether the turn detector was called for it, and has answered. */
  readonly detection: 'none' | 'requested' | 'answered'
  /** The detector's answer: how likely the user has finished, from 0 to 1; null without one. */
  readonly completeProbability: number | null
  readonly preview: Preview
}

/** Whether a preview of the text was requested, and has come; `unknown` when the recognizer had none. */
export type Preview = 'none' | 'requested' | 'answered' | 'unknown'

/** One utterance of the user, from its first voice to the pause that ends it. Times are in ms on the clock of the events. */
export interface Utterance {
  readonly number: number
  readonly startedBy: 'voice' | 'push-to-talk'
  readonly beganMs: number
  /** `none` until there is voice, in push-to-talk. */
  sound:
    | { readonly name: 'none' }
    | { readonly name: 'voice'; readonly sinceMs: number; readonly preview: Preview }
    | Pause
  /** How many pauses there were, with the present one. */
  pauses: number
  /** How much voice there was before the last pause. */
  voicedMs: number
  /** The text recognized so far. */
  partial: string
  /** The recognizer reported that the user has finished, and no voice or other text followed. */
  isReportedOver: boolean
  /** How many replies were prepared to it. */
  preparations: number
  /** The mean level of its voice so far, in dB of full scale; null where it is not known. */
  levelDb: number | null
  /** The agent went on during its voice, which had no words. Only words interrupt from then on. */
  isPassedOver: boolean
}

/** `voiceSinceMs` is when the voice began that starts the utterance; null without one. */
export const newUtterance = (
  { number, startedBy, beganMs }: Pick<Utterance, 'number' | 'startedBy' | 'beganMs'>,
  voiceSinceMs: number | null,
): Utterance => ({
  number,
  startedBy,
  beganMs,
  sound: voiceSinceMs === null ? { name: 'none' } : { name: 'voice', sinceMs: voiceSinceMs, preview: 'none' },
  pauses: 0,
  voicedMs: 0,
  partial: '',
  isReportedOver: false,
  preparations: 0,
  levelDb: null,
  isPassedOver: false,
})

export const addVoice = (utterance: Utterance, sinceMs: number): void => {
  if (isVoiced(utterance)) return
  utterance.sound = { name: 'voice', sinceMs, preview: 'none' }
  utterance.isReportedOver = false
}

export const addPause = (utterance: Utterance, sinceMs: number): void => {
  const { sound } = utterance
  if (sound.name !== 'voice') return
  utterance.voicedMs += Math.max(0, sinceMs - sound.sinceMs)
  utterance.sound = { name: 'pause', sinceMs, detection: 'none', completeProbability: null, preview: 'none' }
  utterance.pauses += 1
}

/** Since when the utterance pauses; null while there is voice, and before the first. */
export const pausedSinceMs = ({ sound }: Utterance): number | null => (sound.name === 'pause' ? sound.sinceMs : null)

/** When its voice adds up to this duration: not finite where it did before, or where it pauses before that. */
export const voicedForAtMs = ({ sound, voicedMs }: Utterance, durationMs: number): number => {
  if (voicedMs >= durationMs) return Number.NEGATIVE_INFINITY
  return sound.name === 'voice' ? sound.sinceMs + durationMs - voicedMs : Number.POSITIVE_INFINITY
}

/** Whether there is voice now. */
export const isVoiced = ({ sound }: Utterance): boolean => sound.name === 'voice'
/** Whether there is or was voice. */
export const wasVoiced = ({ sound }: Utterance): boolean => sound.name !== 'none'

/** Whether any word of it is recognized. */
export const hasWords = ({ partial }: Pick<Utterance, 'partial'>): boolean => /[\p{L}\p{N}]/u.test(partial)
