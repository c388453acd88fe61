import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Logger } from '@parlance/telemetry'

/** What is made of a process's standard error. */
export interface ErrorOutput {
  /** Why the process may have ended, to go behind what is said of that: `: a reason`, or nothing. */
  lastWords(): string
  /** The process has said hello. */
  started(): void
}

const maxCharacters = 1000
const maxMessages = 20
const periodMs = 60_000

/** Logs what a process complains of, within bounds: one that complains without end must not fill the disk. */
export const logErrorOutput = (output: Readable, log: Logger): ErrorOutput => {
  let periodStart = 0
  let messages = 0
  output.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.now()
    if (messages === 0 || now - periodStart > periodMs) {
      periodStart = now
      messages = 0
    }
    messages++
    if (messages <= maxMessages) {
      const err = new Error(text.trim().slice(0, maxCharacters))
      log.warn({ err }, 'An engine process wrote to its error output')
    }
  })
  return { lastWords: () => '', started() {} }
}

const maxErrors = 10_000
const maxReason = 300

/** The last line of what was written, without colours and without the place in its source that a library begins with. */
const reasonIn = (errors: string): string => {
  const line = stripVTControlCharacters(errors).trim().split('\n').at(-1)!
  return line
    .replace(/^(\S+:\w+:\d+ |\S+ \S+ \[E:.*?\] )/, '')
    .trim()
    .slice(0, maxReason)
}

/** Keeps why a process does not start. Later nobody looks at what it writes: it might quote what people say. */
export const keepLastWords = (output: Readable): ErrorOutput => {
  let errors = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-maxErrors)
  })
  return {
    lastWords() {
      const reason = reasonIn(errors)
      return reason === '' ? '' : `: ${reason}`
    },
    started() {
      errors = ''
      output.removeAllListeners('data').resume()
    },
  }
}
