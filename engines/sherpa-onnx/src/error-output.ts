import { closeSync, openSync } from 'node:fs'

/**
 * Sends what is written to standard error nowhere from here on. The library complains there of words that it cannot speak,
 * and quotes them: what people have spoken belongs in no log. A descriptor that is opened takes the lowest free number.
 */
export const silenceErrorOutput = (): void => {
  if (process.platform === 'win32') return
  closeSync(2)
  openSync('/dev/null', 'w')
}
