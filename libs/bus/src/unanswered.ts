import { ServiceError } from '@parlance/contracts'

/**
 * Why a request was not taken by any instance: `nobody` was there to take it, which is known at once, or whoever it went
 * to keeps `silent`. Nothing of it was begun as far as anybody has heard, so it may be tried elsewhere.
 */
export type Unanswered = 'nobody' | 'silent'

const reasons = new WeakMap<object, Unanswered>()

const unavailable = (detail: string, reason: Unanswered): ServiceError => {
  const error = new ServiceError('unavailable', detail)
  reasons.set(error, reason)
  return error
}

export const nobodyAnswers = (service: string): ServiceError =>
  unavailable(`The ${service} service cannot be reached now. Try again.`, 'nobody')

export const keepsSilent = (service: string): ServiceError =>
  unavailable(`The ${service} service does not answer. Try again.`, 'silent')

/** Undefined for every other failure. */
export const whyUnanswered = (error: unknown): Unanswered | undefined =>
  error instanceof ServiceError ? reasons.get(error) : undefined
