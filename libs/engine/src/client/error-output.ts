import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Logger } from '@parlance/telemetry'

/** Reads the standard error of a process. */
export interface ErrorOutput {
  /** Returns why the process may have ended, as a suffix of a message: `: a reason`, or an empty string. */
  reason(): string
  /** The process has sent its hello. */
  started(): void
}

/** Runs `work` in the asynchronous context of the current job, if there is one. */
export type InJob = <Result>(work: () => Result) => Result

const maxCharacters = 1000
const maxMessages = 20
const periodMs = 60_000

const maxErrors = 10_000
const maxReason = 300

/** Returns the last line, without colors and without the source location that a library writes at its start. */
export const reasonIn = (errors: string): string => {
  const line = stripVTControlCharacters(errors).trim().split('\n').at(-1)!
  return line
    .replace(/^(\S+:\w+:\d+ |\S+ \S+ \[E:.*?\] )/, '')
    .trim()
    .slice(0, maxReason)
}

/** Returns the reason as a suffix of a message. */
const suffixOf = (errors: string): string => {
  const reason = reasonIn(errors)
  return reason === '' ? '' : `: ${reason}`
}

/** Logs the standard error of a process, at most 20 messages a minute, so that a process cannot fill the disk. */
export const logErrorOutput = (output: Readable, log: Logger, inJob: InJob): ErrorOutput => {
  let periodStart = 0
  let messages = 0
  let errors: string | undefined = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.now()
    if (messages === 0 || now - periodStart > periodMs) {
      periodStart = now
      messages = 0
    }
    messages++
    if (errors !== undefined) errors = (errors + text).slice(-maxErrors)
    if (messages <= maxMessages) {
      const err = new Error(text.trim().slice(0, maxCharacters))
      inJob(() => log.warn({ err }, 'An engine process wrote to its error output'))
    }
  })
  return {
    reason: () => suffixOf(errors ?? ''),
    started() {
      errors = undefined
    },
  }
}

/** Keeps why a process does not start. Later output is discarded, since it may quote what users speak. */
export const keepStartupErrors = (output: Readable): ErrorOutput => {
  let errors = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-maxErrors)
  })
  return {
    reason: () => suffixOf(errors),
    started() {
      errors = ''
      output.removeAllListeners('data').resume()
    },
  }
}
