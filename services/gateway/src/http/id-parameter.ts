import { type ErrorCode, idSchema, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'

/** The id in a parameter of the path, in lower case. Throws `code` with `detail` when it is not a UUID. */
export const idParameterOf = (req: Request, name: string, code: ErrorCode, detail: string): string => {
  const id = idSchema.safeParse(String(req.params[name]).toLowerCase())
  if (!id.success) throw new ServiceError(code, detail)
  return id.data
}
