import { type ErrorCode, ServiceError } from '@parlance/contracts'

/**
 * Why a request has no reply, or only a part of one.
 *
 * - `no-responders`: no instance serves the method. The bus reports it at once.
 * - `no-reply`: the instance that received the request does not answer. It may not have begun.
 * - `incomplete`: the reply began, or may have begun, and the rest of it was lost.
 */
type MissingReply = 'no-responders' | 'no-reply' | 'incomplete'

const reasons = new WeakMap<object, MissingReply>()

const missingReply = (code: ErrorCode, detail: string, reason: MissingReply): ServiceError => {
  const error = new ServiceError(code, detail)
  reasons.set(error, reason)
  return error
}

export const noResponders = (service: string): ServiceError =>
  missingReply('unavailable', `The ${service} service cannot be reached now. Try again.`, 'no-responders')

/** The permissions of this process on the bus do not allow the call. The bus logs the subject. */
export const callDenied = (service: string): ServiceError =>
  new ServiceError('internal_error', `The message bus does not allow this process to call the ${service} service.`)

export const noReply = (service: string): ServiceError =>
  missingReply('unavailable', `The ${service} service does not answer. Try again.`, 'no-reply')

export const replyStopped = (service: string): ServiceError =>
  missingReply('unavailable', `The ${service} service stopped answering. Try again.`, 'incomplete')

export const replyPartLost = (service: string): ServiceError =>
  missingReply('upstream_error', `Part of the ${service} service's answer was lost. Try again.`, 'incomplete')

/** The deadline has passed. The instance may still be working. */
export const deadlineExceeded = (service: string): ServiceError =>
  new ServiceError('upstream_timeout', `The ${service} service took too long to answer. Try again.`)

/** Undefined for every other error, which is the reply of an instance. */
export const missingReplyOf = (error: unknown): MissingReply | undefined =>
  error instanceof ServiceError ? reasons.get(error) : undefined
