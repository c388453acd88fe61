import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'

/** For an answer that is JSON whatever becomes of it. */
export const jsonOnly: readonly string[] = ['application/json']

/** Refuses a caller whose `Accept` header rules out every one of `types`; a type with `q=0` is ruled out. */
export const requireAcceptable = (req: Request, types: readonly string[]): void => {
  const { accept } = req.headers
  if (accept === undefined || accept === '*/*' || req.accepts([...types])) return
  throw new ServiceError('not_acceptable', `This answer is ${types[0]}, which the accept header rules out.`)
}
