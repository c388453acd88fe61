import { type TranscriptionSegment, wordSeparator } from '@parlance/contracts'

/** The text of a recording. */
export interface Transcript {
  /** A BCP 47 tag. */
  readonly language: string
  readonly durationMs: number
  readonly segments: readonly TranscriptionSegment[]
}

/** All text, in one line. */
export const textOf = ({ language, segments }: Transcript): string =>
  segments.map(({ text }) => text).join(wordSeparator(language))
