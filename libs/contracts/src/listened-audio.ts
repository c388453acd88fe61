import { z } from 'zod'
import { bytesSchema } from './primitives.js'

/**
 * The audio of a live conversation for members who listen: 16-bit PCM, little-endian, with two interleaved channels. The
 * user is on the left, the Agent on the right.
 */
export const listenedAudio = { sampleRateHz: 24_000, channels: 2, pieceMs: 100 } as const

/**
 * A listener that is too slow loses the oldest pieces. `at_ms`, which counts from the beginning of listening, then has a
 * gap.
 */
export const listenedPieceSchema = z.object({
  at_ms: z.int().nonnegative(),
  /** `pieceMs` of audio; empty in the first piece, which is sent at once. */
  data: bytesSchema,
})
export type ListenedPiece = z.infer<typeof listenedPieceSchema>
