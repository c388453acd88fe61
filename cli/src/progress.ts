import type { WriteStream } from 'node:tty'

/** Shows the current step. The empty string removes it. */
export type Progress = (text: string) => void

const eraseLine = '\r\x1b[K'

/** Shows one line on a terminal, which the next text replaces. Writes nothing to a file or another program. */
export const createProgress = (stream: WriteStream): Progress => {
  if (!stream.isTTY) return () => {}
  let shown = ''
  return (text) => {
    if (text === shown) return
    // A line that the terminal wraps could not be erased.
    stream.write(`${eraseLine}${text.slice(0, Math.max(stream.columns - 1, 0))}`)
    shown = text
  }
}
