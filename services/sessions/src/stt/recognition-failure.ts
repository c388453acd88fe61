import { ServiceError } from '@parlance/contracts'

const details = {
  upstream_error: 'The speech recognition failed. Try again.',
  upstream_timeout: 'The speech recognition did not answer in time. Try again.',
  capacity_exhausted: 'The speech recognition has no room at the moment. Try again.',
} as const

/** A failure of a remote server. The message is for the log, and quotes only codes and statuses of the answer. */
export class RecognitionFailure extends Error {
  override readonly name = 'RecognitionFailure'
  readonly code: keyof typeof details
  /** Whether the same request may be sent again at once. */
  readonly mayTryAgain: boolean

  constructor(
    code: RecognitionFailure['code'],
    message: string,
    { mayTryAgain = false, ...options }: ErrorOptions & { mayTryAgain?: boolean } = {},
  ) {
    super(message, options)
    this.code = code
    this.mayTryAgain = mayTryAgain
  }
}

export const broken = (message: string, options?: ErrorOptions): RecognitionFailure =>
  new RecognitionFailure('upstream_error', message, options)

/** The failure of a server that answered with an HTTP status other than the expected one. */
export const failureOfStatus = (status: number, message: string): RecognitionFailure => {
  if (status === 429) return new RecognitionFailure('capacity_exhausted', message)
  if (status === 408 || status === 504) return new RecognitionFailure('upstream_timeout', message)
  return new RecognitionFailure('upstream_error', message, { mayTryAgain: status >= 500 })
}

/** The error for the caller, without internal detail. */
export const serviceErrorOf = (failure: RecognitionFailure): ServiceError =>
  new ServiceError(failure.code, details[failure.code], { cause: failure })

export const noRoom = (): ServiceError => new ServiceError('capacity_exhausted', details.capacity_exhausted)

export const tooLate = (): ServiceError => new ServiceError('upstream_timeout', details.upstream_timeout)

/** A request that failed is sent once more at once: the user waits for the text. */
export const onceMore = { maxAttempts: 2, backoff: { firstMs: 0, maxMs: 0 } } as const
