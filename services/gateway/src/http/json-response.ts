import type { Request, RequestHandler, Response } from 'express'

/**
 * The security headers of every response that is not a page. Headers are written as flat arrays, which Node sends as they
 * are: to set them one by one costs a multiple.
 */
export const guardHeaders: readonly string[] = [
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy',
  'no-referrer',
]

/** The headers of any response that is not a page, as a flat array. */
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

/** The `Cache-Control` of a list that may change: shared caches do not keep it, and clients revalidate it. */
export const privateNoCache = 'private, no-cache'

/** Sends a whole body. `headers` is a flat array, to which the length is added. */
export const sendBody = (res: Response, status: number, headers: string[], body: Uint8Array | string): void => {
  headers.push('content-length', String(Buffer.byteLength(body)))
  res.writeHead(status, headers).end(body)
}

/** Sends `json` with status 200, without parsing it. */
export const sendJson = (req: Request, res: Response, json: Uint8Array | string, cacheControl: string): void =>
  sendBody(res, 200, apiHeaders(req.id, jsonType, cacheControl), json)

/** Sends status 204. */
export const sendNothing = (req: Request, res: Response): void => {
  const [, , ...headers] = apiHeaders(req.id, '', 'no-store')
  res.writeHead(204, headers).end()
}

/** Sends a single resource, which is never cached. `extraHeaders` is a flat array. */
export const sendResource = (
  req: Request,
  res: Response,
  status: number,
  resource: object,
  extraHeaders: readonly string[] = [],
): void => {
  const headers = apiHeaders(req.id, jsonType, 'no-store')
  headers.push(...extraHeaders)
  sendBody(res, status, headers, JSON.stringify(resource))
}

/** A handler that sends the result of `work` as a single resource. */
export const respond =
  (status: number, work: (req: Request) => Promise<object>): RequestHandler =>
  async (req, res) =>
    sendResource(req, res, status, await work(req))

/** A handler that sends status 204 after `work`. */
export const respondNothing =
  (work: (req: Request) => Promise<unknown>): RequestHandler =>
  async (req, res) => {
    await work(req)
    sendNothing(req, res)
  }

/** A handler that sends the JSON with which `work` resolves, without parsing it. */
export const forward =
  (work: (req: Request) => Promise<Uint8Array | string>, cacheControl = privateNoCache): RequestHandler =>
  async (req, res) =>
    sendJson(req, res, await work(req), cacheControl)

/** The header that lists the ignored fields of a request, as a flat array; empty when there are none. */
export const ignoredHeader = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : ['x-parlance-ignored', names.join(', ')]
