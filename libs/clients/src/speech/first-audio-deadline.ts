import { z } from 'zod'

/** Slow models need up to ten times the duration of their speech. */
const slowFactor = 6

/** The environment variable of every service that speaks through `createSynthesize`. */
export const firstAudioVariables = {
  FIRST_AUDIO_DEADLINE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(25_000)
    .default(10_000)
    .describe(
      'the longest wait for the first audio of a speech, in ms from 100 to 25000; six times as long for a slow voice',
    ),
}

/** The maximum time to the first audio, in ms. A voice that is not slow may take `usualMs`. */
export const firstAudioDeadline = ({ isSlow }: { readonly isSlow: boolean }, usualMs: number): number =>
  isSlow ? slowFactor * usualMs : usualMs
