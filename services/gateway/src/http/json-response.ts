import type { Request, Response } from 'express'

/**
 * Headers are written as flat arrays, which Node sends as they are: setting them one by one costs a multiple. All that
 * is not HTML carries these few; the pages have a set of their own.
 */
export const guardHeaders: readonly string[] = [
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy',
  'no-referrer',
]

/** The headers of any answer that is not a page. */
export const apiHeaders = (requestId: string, contentType: string, cacheControl: string): string[] => [
  'content-type',
  contentType,
  'x-request-id',
  requestId,
  'cache-control',
  cacheControl,
  ...guardHeaders,
]

export const jsonType = 'application/json; charset=utf-8'

/** `json` is sent as it is. */
export const sendJson = (req: Request, res: Response, json: Uint8Array | string, cacheControl = 'no-store'): void => {
  const headers = apiHeaders(req.id, jsonType, cacheControl)
  headers.push('content-length', String(typeof json === 'string' ? Buffer.byteLength(json) : json.length))
  res.writeHead(200, headers)
  res.end(json)
}

/** What was asked for is done, and there is nothing to tell. */
export const sendNothing = (req: Request, res: Response): void => {
  const [, , ...headers] = apiHeaders(req.id, '', 'no-store')
  res.writeHead(204, headers).end()
}

/** A single resource, which is never cached. `extraHeaders` is a flat array. */
export const sendResource = (
  req: Request,
  res: Response,
  status: number,
  resource: object,
  extraHeaders: readonly string[] = [],
): void => {
  const json = JSON.stringify(resource)
  const headers = apiHeaders(req.id, jsonType, 'no-store')
  headers.push('content-length', String(Buffer.byteLength(json)), ...extraHeaders)
  res.writeHead(status, headers)
  res.end(json)
}
