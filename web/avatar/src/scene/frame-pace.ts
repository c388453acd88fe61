/** Many frames in a row that take longer than this are too slow for a speaking mouth. */
const slowFrameMs = 42
const judgedFrames = 24
/** The first frames compile shaders and upload the model. */
const warmUpFrames = 6

/** Calls `onSlow`, at most once, when the device is too slow. `frame` must be called for each frame. */
export const createFramePace = (onSlow: () => void) => {
  let frames = 0
  let lastMs = 0
  let slow = 0
  let isReported = false
  return {
    frame(atMs: number): void {
      const tookMs = atMs - lastMs
      lastMs = atMs
      frames += 1
      if (isReported || frames <= warmUpFrames) return
      slow = tookMs > slowFrameMs ? slow + 1 : Math.max(0, slow - 2)
      if (slow < judgedFrames) return
      isReported = true
      onSlow()
    },
    /** The first frames after a pause are not measured. */
    resume(): void {
      frames = 0
    },
  }
}
