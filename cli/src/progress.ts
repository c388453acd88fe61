import type { WriteStream } from 'node:tty'

/** Told what is being done now, for as long as it takes; the empty text takes that away again. */
export type Progress = (text: string) => void

const eraseLine = '\r\x1b[K'

/** One line on a terminal, which the next replaces. A file or another program is told nothing. */
export const createProgress = (stream: WriteStream): Progress => {
  if (!stream.isTTY) return () => {}
  let shown = ''
  return (text) => {
    if (text === shown) return
    // A line that the terminal breaks could not be erased.
    stream.write(`${eraseLine}${text.slice(0, Math.max(stream.columns - 1, 0))}`)
    shown = text
  }
}
