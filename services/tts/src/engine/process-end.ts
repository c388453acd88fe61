import { ServiceError } from '@parlance/contracts'

/**
 * The process crashed on this text. No other process is given it: the code is not retryable, and no fallback speaks in
 * place of it.
 */
export class FatalTextError extends ServiceError {
  constructor(cause: unknown) {
    super('invalid_request', fatalTextDetail, { cause })
  }
}

/** The process was lost while it spoke this text, which may or may not be the reason: it was killed, or did not answer. */
export class ProcessLostError extends ServiceError {}

export const fatalTextDetail = 'text: the speech engine fails on this text. Change it.'
