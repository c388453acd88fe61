import { type ErrorCode, idSchema, invalidRequest, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import type { z } from 'zod'

/** The id in a parameter of the path, in lower case. Throws `code` with `detail` when it is not a UUID. */
export const idParameterOf = (req: Request, name: string, code: ErrorCode, detail: string): string => {
  const id = idSchema.safeParse(String(req.params[name]).toLowerCase())
  if (!id.success) throw new ServiceError(code, detail)
  return id.data
}

/** Parses what a client sent. Throws `invalid_request`, whose detail names the first field that is wrong. */
export const parseRequest = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: requiredMessage })
  if (!parsed.success) throw invalidRequest(parsed.error)
  return parsed.data
}

/** Replaces "expected string, received undefined". */
const requiredMessage = (issue: { code: string; input?: unknown }) =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined
