import { closeSync, openSync } from 'node:fs'

/**
 * Discards standard error from now on. The library reports words there that it cannot speak, and users' texts must not be
 * logged. A newly opened descriptor gets the lowest free number, which is 2.
 */
export const silenceErrorOutput = (): void => {
  if (process.platform === 'win32') return
  closeSync(2)
  openSync('/dev/null', 'w')
}
