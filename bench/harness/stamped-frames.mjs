/**
 * Frames of 40 ms (24 kHz s16 mono) that say when they were sent, and the wish for them, which is a request's text:
 * `real 12` is 12 s of them at the pace at which they are heard, `fast 600` as fast as they are taken; what stands behind
 * that is whatever the asker likes.
 */

export const frameMs = 40
const frameBytes = 1_920

/** The machine's monotonic clock in ms: all processes read the same, to the nanosecond. */
export const clockMs = () => Number(process.hrtime.bigint()) / 1e6

/** Frames that begin `offset` bytes after their own start, which is left to the caller to fill. */
export const stampedFrame = (offset = 0) => {
  const frame = Buffer.alloc(offset + frameBytes)
  frame.writeDoubleBE(clockMs(), offset)
  return frame
}

export const sentAtMs = (frame, offset) => frame.readDoubleBE(offset)

export const wishIn = (text) => {
  const [, pace, seconds] = /^(real|fast) (\d+(?:\.\d+)?)(?: |$)/.exec(text) ?? []
  if (pace === undefined) throw new Error(`this says neither "real" nor "fast" and for how many seconds: ${text}`)
  return { realTime: pace === 'real', frames: Math.round((Number(seconds) * 1000) / frameMs) }
}
