import { z } from 'zod'
import type { ErrorCode, ServiceError } from '../service-error.js'
import { errorTable } from '../service-error.js'

/** Every HTTP error has exactly these five keys; on sockets `context_id` may be added. */
export const errorBodySchema = z.strictObject({
  event: z.literal('error'),
  request_id: z.string(),
  code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
  retryable: z.boolean(),
  detail: z.string(),
})
export type ErrorBody = z.infer<typeof errorBodySchema>

/** The error as a client receives it: without its cause, which is for the log. */
export const errorBody = (error: ServiceError, requestId: string): ErrorBody => ({
  event: 'error',
  request_id: requestId,
  code: error.code,
  retryable: error.retryable,
  detail: error.detail,
})
