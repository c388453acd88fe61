import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { requestIdSchema } from '@parlance/contracts'

/** The `x-request-id` of the client when it is valid, else a new UUID. */
export const requestIdFrom = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id']
  return given !== undefined && requestIdSchema.safeParse(given).success ? (given as string) : randomUUID()
}
