import { z } from 'zod'

/** A slow model takes up to ten times the duration of its speech. */
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

/** How long a speech may take to its first audio, in ms, where a voice that is not slow may take `usualMs`. */
export const firstAudioDeadline = ({ isSlow }: { readonly isSlow: boolean }, usualMs: number): number =>
  isSlow ? slowFactor * usualMs : usualMs
