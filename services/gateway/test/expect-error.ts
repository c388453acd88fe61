import type { ErrorBody, ErrorCode } from '@parlance/contracts'
import { errorBodySchema, errorTable } from '@parlance/contracts'
import { expect } from 'vitest'

/** The routes whose errors carry what OpenAI's clients read. A response that a test builds itself has an empty URL. */
const isOpenai = ({ url }: Response): boolean => /^https?:\/\/[^/]+\/v1\/(audio|models)/.test(url)

/** Expects a response to be this error in the common form, with the same request id in header and body. */
export const expectError = async (
  response: Response,
  code: ErrorCode,
  detail?: string | RegExp,
): Promise<ErrorBody> => {
  const { error, ...fiveKeys } = (await response.json()) as Record<string, unknown>
  const body = errorBodySchema.parse(fiveKeys)
  if (isOpenai(response)) expect(error).toMatchObject({ message: body.detail, code, param: null })
  else expect(error).toBeUndefined()
  expect(body).toMatchObject({ code, retryable: errorTable[code].retryable })
  expect(response.status).toBe(errorTable[code].status)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-request-id')).toBe(body.request_id)
  if (detail !== undefined) expect(body.detail).toMatch(detail)
  return body
}
