import { ServiceError } from '@parlance/contracts'

const unanswered = new WeakSet<object>()

export const nobodyAnswers = (service: string): ServiceError => {
  const error = new ServiceError('unavailable', `The ${service} service cannot be reached now. Try again.`)
  unanswered.add(error)
  return error
}

/**
 * Whether a call or stream failed because no instance was there to take it, all of them full among it, and not because
 * one was lost with it. Nothing of it was begun.
 */
export const isNobodyAnswers = (error: unknown): boolean => error instanceof ServiceError && unanswered.has(error)
