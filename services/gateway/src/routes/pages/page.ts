import { ServiceError } from '@parlance/contracts'
import type { Response } from 'express'
import { z } from 'zod'
import { noAuthentication, type Route } from '../route.js'
import { loadPageFile, pageFileType } from './page-file.js'
import { pageHeaders } from './page-headers.js'

export interface PageOptions {
  /** The path of the page, such as `/docs`. */
  readonly path: string
  /** The operation id of the page. Its files have the same with the suffix `Asset`. */
  readonly operationId: string
  readonly summary: string
  /** The folder of `index.html`. */
  readonly folder: URL
  /** The files that the page loads, each with its folder. */
  readonly files: ReadonlyMap<string, URL>
}

const text = { schema: z.string() }
const font = { schema: { type: 'string', format: 'binary' } } as const

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
    createHandler: () => [pageHeaders(), (_req, res) => send(res, new URL('index.html', folder), 'no-cache')],
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
      200: {
        description: 'OK',
        content: { 'text/css': text, 'text/javascript': text, 'image/svg+xml': text, 'font/woff2': font },
      },
    },
    errors: ['internal_error', 'invalid_request', 'not_found'],
    createHandler: () => [
      pageHeaders(),
      async (req, res) => {
        const name = String(req.params.asset)
        const fileFolder = files.get(name)
        if (fileFolder === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
        await send(res, new URL(name, fileFolder), 'public, max-age=3600')
      },
    ],
  },
]

const send = async (res: Response, file: URL, cacheControl: string): Promise<void> => {
  const bytes = await loadPageFile(file)
  res.writeHead(200, {
    'content-type': pageFileType(file.pathname),
    'content-length': bytes.length,
    'cache-control': cacheControl,
    'x-request-id': res.req.id,
  })
  res.end(bytes)
}
