import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import type { Response } from 'express'
import { z } from 'zod'
import { noAuthentication, type Route } from '../route.js'
import { loadPageFile, pageFileType, pageHeaders } from './page-file.js'

const text = { schema: z.string() }
const font = { schema: { type: 'string', format: 'binary' } } as const

const folder = new URL('../../../assets/api-reference/', import.meta.url)
const folderOf = (packageName: string): URL =>
  new URL('./', pathToFileURL(createRequire(import.meta.url).resolve(`${packageName}/package.json`)))
const swagger = folderOf('swagger-ui-dist')

/** The files that the page loads, each with its folder. */
const files: ReadonlyMap<string, URL> = new Map([
  ['reference.css', folder],
  ['reference.js', folder],
  ['icon.svg', folder],
  ['inter-latin-wght-normal.woff2', new URL('files/', folderOf('@fontsource-variable/inter'))],
  ['swagger-ui.css', swagger],
  ['swagger-ui-bundle.js', swagger],
])

/** The reference of the API: the page itself, and the files that it loads. */
export const apiReference: readonly Route[] = [
  {
    method: 'get',
    path: '/docs/api',
    authentication: noAuthentication,
    operationId: 'apiReference',
    tag: 'Operations',
    summary: 'This document, as a page',
    responses: { 200: { description: 'OK', content: { 'text/html': text } } },
    createHandler: () => [pageHeaders(), (_req, res) => send(res, new URL('index.html', folder), 'no-cache')],
  },
  {
    method: 'get',
    path: '/docs/api/:asset',
    authentication: noAuthentication,
    operationId: 'apiReferenceAsset',
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
