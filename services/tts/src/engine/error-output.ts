import type { Readable } from 'node:stream'
import type { Logger } from '@parlance/telemetry'

const maxCharacters = 1000
const maxMessages = 20
const periodMs = 60_000

/** Logs what an engine process complains of, within bounds: one that complains without end must not fill the disk. */
export const logErrorOutput = (output: Readable, logger: Logger): void => {
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
      logger.warn({ err }, 'An engine process wrote to its error output')
    }
  })
}
