import { types } from 'node:util'

/**
 * One line on whatever was thrown, to be part of an error for the person who starts the process: that one line is all he
 * gets, so such an error has no cause. Errors of several connection attempts have no message of their own.
 */
export const messageOf = (error: unknown): string => {
  if (!types.isNativeError(error)) return String(error)
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || error.name).split('\n')[0] ?? ''
}
