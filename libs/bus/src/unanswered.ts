import { type ErrorCode, ServiceError } from '@parlance/contracts'

/**
 * Why a request has no answer, or not a whole one.
 *
 * - `nobody`: no instance was there to take it, which is known at once.
 * - `silent`: the instance that it was sent to does not answer. As far as is known, nothing of it was begun.
 * - `lost`: the answer began, or may have begun, and the rest of it does not come.
 */
export type Unanswered = 'nobody' | 'silent' | 'lost'

const reasons = new WeakMap<object, Unanswered>()

const unanswered = (code: ErrorCode, detail: string, reason: Unanswered): ServiceError => {
  const error = new ServiceError(code, detail)
  reasons.set(error, reason)
  return error
}

export const nobodyAnswers = (service: string): ServiceError =>
  unanswered('unavailable', `The ${service} service cannot be reached now. Try again.`, 'nobody')

export const keepsSilent = (service: string): ServiceError =>
  unanswered('unavailable', `The ${service} service does not answer. Try again.`, 'silent')

export const stoppedAnswering = (service: string): ServiceError =>
  unanswered('unavailable', `The ${service} service stopped answering. Try again.`, 'lost')

export const lostPart = (service: string): ServiceError =>
  unanswered('upstream_error', `Part of the ${service} service's answer was lost. Try again.`, 'lost')

/** Undefined for every other failure: those that an instance answers with. */
export const whyUnanswered = (error: unknown): Unanswered | undefined =>
  error instanceof ServiceError ? reasons.get(error) : undefined
