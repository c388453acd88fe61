/** A slow model takes up to ten times the duration of its speech. */
const slowFactor = 6

/** How long a speech may take to its first audio, in ms, where a voice that is not slow may take `usualMs`. */
export const firstAudioDeadline = ({ isSlow }: { readonly isSlow: boolean }, usualMs: number): number =>
  isSlow ? slowFactor * usualMs : usualMs
