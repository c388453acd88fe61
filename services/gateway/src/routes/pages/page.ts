import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ServiceError } from '@parlance/contracts'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { z } from 'zod'
import { noAuthentication, type Route } from '../route.js'

export interface PageOptions {
  /** Such as `/docs`. */
  readonly path: string
  /** Of the page. Its files have the same with `Asset` behind it. */
  readonly operationId: string
  readonly summary: string
  /** The folder of `index.html`. */
  readonly folder: URL
  /** The files that the page loads, each with its folder. */
  readonly files: ReadonlyMap<string, URL>
}

const text = { schema: z.string() }

/** The two routes of a page: the page itself, and the files that it loads. */
export const createPageRoutes = ({ path, operationId, summary, folder, files }: PageOptions): readonly Route[] => [
  {
    method: 'get',
    path,
    authentication: noAuthentication,
    operationId,
    tag: 'Operations',
    summary,
    responses: { 200: { description: 'OK', content: { 'text/html': text } } },
    errors: ['internal_error'],
    createHandler: () => [setSecurityHeaders, (_req, res) => send(res, new URL('index.html', folder), 'no-cache')],
  },
  {
    method: 'get',
    path: `${path}/:asset`,
    authentication: noAuthentication,
    operationId: `${operationId}Asset`,
    tag: 'Operations',
    summary: 'A file of that page',
    request: { params: z.object({ asset: z.string() }) },
    responses: {
      200: { description: 'OK', content: { 'text/css': text, 'text/javascript': text, 'image/svg+xml': text } },
    },
    errors: ['internal_error', 'invalid_request', 'not_found'],
    createHandler: () => [
      setSecurityHeaders,
      async (req, res) => {
        const name = String(req.params.asset)
        const fileFolder = files.get(name)
        if (fileFolder === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
        await send(res, new URL(name, fileFolder), 'public, max-age=3600')
      },
    ],
  },
]

const shared = new URL('../../../assets/shared/', import.meta.url)

/** The files that all pages load that call the API with a key. */
export const sharedFiles: ReadonlyMap<string, URL> = new Map([
  ['icon.svg', new URL('../../../assets/docs/', import.meta.url)],
  ...['page.css', 'api.js', 'key-form.js'].map((name) => [name, shared] as const),
])

/** A page may load files from the gateway and call the gateway, and nothing else. */
const setSecurityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      // The style sheet contains its icons.
      'img-src': ["'self'", 'data:'],
      // Audio from the API is played from memory.
      'media-src': ['blob:'],
      // This includes WebSockets to the same host.
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // The gateway does not terminate TLS, so it does not know whether there is any.
  strictTransportSecurity: false,
})

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const loaded = new Map<string, Promise<Buffer>>()

const load = (file: URL): Promise<Buffer> => {
  const bytes = loaded.get(file.href) ?? readFile(file)
  loaded.set(file.href, bytes)
  return bytes
}

const send = async (res: Response, file: URL, cacheControl: string): Promise<void> => {
  const bytes = await load(file)
  res.writeHead(200, {
    'content-type': types[extname(file.pathname)],
    'content-length': bytes.length,
    'cache-control': cacheControl,
    'x-request-id': res.req.id,
  })
  res.end(bytes)
}
