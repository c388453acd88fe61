/** Frames that take longer than this, many in a row, are too slow to speak with. */
const slowFrameMs = 42
const judgedFrames = 24
/** The first frames compile shaders and upload the model. */
const warmUpFrames = 6

/** Tells when a device cannot keep up: call what is returned at each frame; `onSlow` is called once at most. */
export const createFramePace = (onSlow: () => void) => {
  let frames = 0
  let lastMs = 0
  let slow = 0
  let told = false
  return {
    frame(atMs: number): void {
      const tookMs = atMs - lastMs
      lastMs = atMs
      frames += 1
      if (told || frames <= warmUpFrames) return
      slow = tookMs > slowFrameMs ? slow + 1 : Math.max(0, slow - 2)
      if (slow < judgedFrames) return
      told = true
      onSlow()
    },
    /** After a pause the next frame says nothing about the device. */
    resume(): void {
      frames = 0
    },
  }
}
