import { invalidRequest } from '@parlance/contracts'
import type { z } from 'zod'

/** What `schema` makes of what a caller sent; `invalid_request` names the first field that is wrong. */
export const parseRequest = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value, { error: sayRequired })
  if (!parsed.success) throw invalidRequest(parsed.error)
  return parsed.data
}

/** Better than "expected string, received undefined". */
const sayRequired = (issue: { code: string; input?: unknown }) =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined
