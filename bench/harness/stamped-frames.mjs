/**
 * Frames of audio (24 kHz s16 mono) that contain the time at which they were sent, and the request for them, which is the
 * text to speak: `real 12` asks for 12 s in frames of 40 ms at the pace of playback; `fast 600` for 600 s in frames of 480
 * ms, as fast as the receiver takes them. Anything may follow after a space.
 */

const bytesOfMs = 48

/** The machine's monotonic clock in ms: all processes read the same, to the nanosecond. */
export const clockMs = () => Number(process.hrtime.bigint()) / 1e6

/** A frame with the given amount of audio. The caller fills the `offset` bytes before the audio. */
export const stampedFrame = (durationMs, offset = 0) => {
  const frame = Buffer.alloc(offset + durationMs * bytesOfMs)
  frame.writeDoubleBE(clockMs(), offset)
  return frame
}

export const sentAtMs = (frame, offset) => frame.readDoubleBE(offset)

export const wishIn = (text) => {
  const [, pace, seconds] = /^(real|fast) (\d+(?:\.\d+)?)(?: |$)/.exec(text) ?? []
  if (pace === undefined)
    throw new Error(`the text does not begin with "real" or "fast" and a number of seconds: ${text}`)
  const realTime = pace === 'real'
  const frameMs = realTime ? 40 : 480
  return { realTime, frameMs, frames: Math.round((Number(seconds) * 1000) / frameMs) }
}
