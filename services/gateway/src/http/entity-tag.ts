import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { sendBody } from './json-response.js'

export const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

/** The value of the header `etag`. */
export const etagOf = (content: string | Buffer): string => `"${digestOf(content)}"`

/**
 * Sends bytes with their tag, or status 304 to a client that has them already. `headers` is a flat array, whose first is the content
 * type.
 */
export const sendTagged = (req: Request, res: Response, headers: string[], etag: string, bytes: Buffer): void => {
  headers.push('etag', etag)
  if (isNotModified(req, etag)) res.writeHead(304, headers.slice(2)).end()
  else sendBody(res, 200, headers, bytes)
}

/** Whether the client has the content with this tag already, as `If-None-Match` says. */
export const isNotModified = (req: Request, etag: string): boolean =>
  (req.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
