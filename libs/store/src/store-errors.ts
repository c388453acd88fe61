import { types } from 'node:util'

/**
 * A thrown value as one line, for an error that is shown to the operator. Such an error has no cause, because the operator sees
 * only this line. The errors of several connection attempts have no message of their own; their code is used instead.
 */
export const messageOf = (error: unknown): string => {
  if (!types.isNativeError(error)) return String(error)
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || error.name).split('\n')[0] ?? ''
}

/** A server that cannot be reached when a store is opened. It may be starting, so that a later attempt may succeed. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}
