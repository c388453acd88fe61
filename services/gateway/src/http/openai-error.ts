import { type ErrorBody, errorBody, type ServiceError } from '@parlance/contracts'
import type { Request } from 'express'

/** The part of an error that OpenAI's clients read. */
export interface OpenaiError {
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
}

/** The type that OpenAI's API uses for a status. */
const typeOf = (status: number): string => {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'insufficient_quota'
    case 403:
      return 'permission_error'
    case 429:
      return 'rate_limit_error'
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error'
  }
}

export const openaiError = ({ detail, code, status }: ServiceError): OpenaiError => ({
  message: detail,
  type: typeOf(status),
  code,
  param: null,
})

/** Whether OpenAI's clients call a path. */
export const isOpenaiPath = (path: string): boolean => /^\/v1\/(audio|models)(\/|$)/.test(path)

/** The body of an error: the five keys, and on the routes that OpenAI's clients call also an `error` object for them. */
export const errorBodyFor = (
  req: Pick<Request, 'id' | 'path'>,
  error: ServiceError,
): ErrorBody & { readonly error?: OpenaiError } => {
  const body = errorBody(error, req.id)
  return isOpenaiPath(req.path) ? { ...body, error: openaiError(error) } : body
}
