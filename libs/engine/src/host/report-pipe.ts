import { writeSync } from 'node:fs'

const clock = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes all of `bytes` to standard output before it returns: an engine may speak a whole text in one tick of the event loop,
 * and its audio must not wait for the end. Waits for a slow reader; ends the process when there is no reader.
 */
export const report = (bytes: Uint8Array): void => {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') process.exit(0)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}
