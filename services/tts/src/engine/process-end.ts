import { ServiceError } from '@parlance/contracts'

/**
 * The process crashed on this text. The text is sent to no other process: the code is not retryable, and no fallback is used.
 */
export class FatalTextError extends ServiceError {
  constructor(cause: unknown) {
    super('invalid_request', fatalTextDetail, { cause })
  }
}

/** The process was killed or did not answer while it spoke this text. The text may or may not be the reason. */
export class ProcessLostError extends ServiceError {}

export const fatalTextDetail = 'text: the speech engine fails on this text. Change it.'
