/** What the user is saying, from the first of his voice to the pause that ends it. */
export interface Utterance {
  readonly number: number
  readonly by: 'voice' | 'push-to-talk'
  readonly beganMs: number
  /** Since when the voice goes on; undefined in a pause. */
  voiceSinceMs: number | undefined
  /** Since when it pauses; undefined while it goes on, and before it has begun. */
  silentSinceMs: number | undefined
  /** Voice in it before the last pause. */
  voicedMs: number
  /** What is understood of it so far. */
  partial: string
}

export const beginUtterance = (options: Pick<Utterance, 'number' | 'by' | 'beganMs' | 'voiceSinceMs'>): Utterance => ({
  ...options,
  silentSinceMs: undefined,
  voicedMs: 0,
  partial: '',
})

export const goOn = (utterance: Utterance, sinceMs: number): void => {
  utterance.voiceSinceMs ??= sinceMs
  utterance.silentSinceMs = undefined
}

export const pause = (utterance: Utterance, sinceMs: number): void => {
  if (utterance.voiceSinceMs === undefined) return
  utterance.voicedMs += Math.max(0, sinceMs - utterance.voiceSinceMs)
  utterance.voiceSinceMs = undefined
  utterance.silentSinceMs = sinceMs
}

/** When the voice in it adds up, or added up, to so much; never, where it paused before. */
export const voicedForAtMs = ({ voiceSinceMs, voicedMs }: Utterance, durationMs: number): number => {
  if (voicedMs >= durationMs) return Number.NEGATIVE_INFINITY
  return voiceSinceMs === undefined ? Number.POSITIVE_INFINITY : voiceSinceMs + durationMs - voicedMs
}

/** Whether the voice goes on; and whether there was any. */
export const isVoiced = ({ voiceSinceMs }: Utterance): boolean => voiceSinceMs !== undefined
export const wasVoiced = (utterance: Utterance): boolean => isVoiced(utterance) || utterance.voicedMs > 0

/** Whether any word of it is understood. */
export const hasWords = ({ partial }: Utterance): boolean => /[\p{L}\p{N}]/u.test(partial)
