import { expect } from '@jest/globals'
import type { ErrorBody, ErrorCode } from '@parlance/contracts'
import { errorBodySchema, errorTable } from '@parlance/contracts'

/** That an answer is this error in the one shape there is, and the same request id in header and body. */
export const expectError = async (
  response: Response,
  code: ErrorCode,
  detail?: string | RegExp,
): Promise<ErrorBody> => {
  const body = errorBodySchema.parse(await response.json())
  expect(body).toMatchObject({ code, retryable: errorTable[code].retryable })
  expect(response.status).toBe(errorTable[code].status)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-request-id')).toBe(body.request_id)
  if (detail !== undefined) expect(body.detail).toMatch(detail)
  return body
}
