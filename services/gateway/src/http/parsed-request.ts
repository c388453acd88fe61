import { invalidRequest } from '@parlance/contracts'
import type { z } from 'zod'

/** Parses what a client sent. Throws `invalid_request`, whose detail names the first field that is wrong. */
export const parseRequest = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: requiredMessage })
  if (!parsed.success) throw invalidRequest(parsed.error)
  return parsed.data
}

/** Replaces "expected string, received undefined". */
const requiredMessage = (issue: { code: string; input?: unknown }) =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined
