/**
 * Frames of audio (24 kHz s16 mono) that say when they were sent, and the wish for them, which is a request's text:
 * `real 12` is 12 s of them at the pace at which they are heard, 40 ms each; `fast 600` is as fast as they are taken, in
 * pieces of 480 ms. What stands behind that is whatever the asker likes.
 */

const bytesOfMs = 48

/** The machine's monotonic clock in ms: all processes read the same, to the nanosecond. */
export const clockMs = () => Number(process.hrtime.bigint()) / 1e6

/** So much audio, `offset` bytes after the start of the frame, which are left to the caller to fill. */
export const stampedFrame = (durationMs, offset = 0) => {
  const frame = Buffer.alloc(offset + durationMs * bytesOfMs)
  frame.writeDoubleBE(clockMs(), offset)
  return frame
}

export const sentAtMs = (frame, offset) => frame.readDoubleBE(offset)

export const wishIn = (text) => {
  const [, pace, seconds] = /^(real|fast) (\d+(?:\.\d+)?)(?: |$)/.exec(text) ?? []
  if (pace === undefined) throw new Error(`this says neither "real" nor "fast" and for how many seconds: ${text}`)
  const realTime = pace === 'real'
  const frameMs = realTime ? 40 : 480
  return { realTime, frameMs, frames: Math.round((Number(seconds) * 1000) / frameMs) }
}
