import { writeSync } from 'node:fs'

const clock = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes all of `bytes` to standard output before it returns: speaking does not let the event loop turn, and audio that
 * waits is audio that comes late. A reader that is slow is waited for; without
 * a reader there is nothing left to do.
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
