import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'

/** Whether the client prefers HTML, as a browser that opens the address does. */
export const prefersPage = (req: Request): boolean => req.accepts(['json', 'html']) === 'html'

/** Throws `not_acceptable` when the `Accept` header excludes all of `types`. A type with `q=0` is excluded. */
export const requireAcceptable = (req: Request, types: readonly string[]): void => {
  const { accept } = req.headers
  if (accept === undefined || accept === '*/*' || req.accepts([...types])) return
  throw new ServiceError('not_acceptable', `The response is ${types[0]}, which the Accept header excludes.`)
}
