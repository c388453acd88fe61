/** Why a request failed, for the person who made it. */
export interface Problem {
  /** A code of the API; `unreachable` when there was no response. */
  readonly code: string
  readonly detail: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
}

const unreachable: Problem = {
  code: 'unreachable',
  detail: 'Parlance cannot be reached. Check your connection and try again.',
  retryable: true,
}

const unknown: Problem = { code: 'internal_error', detail: 'Something failed. Try again.', retryable: true }

/** Whether a request failed with the body of an error, which a page shows. */
export const isErrorBody = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'detail' in error

/** The problem of anything that a query or a mutation throws: the body of a response, or an error of `fetch`. */
export const problemOf = (error: unknown): Problem => {
  if (isErrorBody(error)) return error
  return error instanceof TypeError ? unreachable : unknown
}

/** The field that a request was refused for, by its name in the request; undefined when it was refused for something else. */
export const refusedFieldOf = (error: unknown): { readonly name: string; readonly message: string } | undefined => {
  const { code, detail } = problemOf(error)
  const [, name, message] = /^([\w.]+): (.+)$/s.exec(detail) ?? []
  if (code !== 'invalid_request' || name === undefined || message === undefined) return undefined
  return { name, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}` }
}

/** A refusal of a field, as the API makes it. */
export const refusalOf = (name: string, detail: string): Problem => ({
  code: 'invalid_request',
  detail: `${name}: ${detail}`,
  retryable: false,
})

/** The requested object does not exist in this workspace. */
export const isNotFound = (error: unknown): boolean => problemOf(error).code.endsWith('not_found')

export const isUnauthorized = (error: unknown): boolean => problemOf(error).code === 'unauthorized'
