import { createHash } from 'node:crypto'
import type { Request } from 'express'

export const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

/** The value of the header `etag`. */
export const etagOf = (content: string | Buffer): string => `"${digestOf(content)}"`

/** Whether the client has the content with this tag already, as `If-None-Match` says. */
export const isNotModified = (req: Request, etag: string): boolean =>
  (req.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
