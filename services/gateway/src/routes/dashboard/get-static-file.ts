import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { apiHeaders } from '../../http/json-response.js'
import { loadPageFile, pageFileType } from '../pages/page-file.js'
import { siteFolder } from '../pages/serve-pages.js'
import { noAuthentication, type Route } from '../route.js'

const text = { schema: z.string() }
const font = { schema: { type: 'string', format: 'binary' } } as const

/** The build compresses each file in both ways, except for typefaces, which are compressed already. */
const suffixes: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' }

const encodingFor = (req: Request, name: string): string =>
  (!name.endsWith('.woff2') && req.acceptsEncodings('br', 'gzip', 'identity')) || 'identity'

/** The name of a built file, without the suffix of its compression. */
const fileName = /^\w[\w-]*(\.[\w-]+)*\.(js|css|svg|woff2)$/

export const getStaticFile: Route = {
  method: 'get',
  path: '/dashboard/static/:file',
  authentication: noAuthentication,
  operationId: 'getStaticFile',
  tag: 'Operations',
  summary: 'A file that the pages of the dashboard load',
  description: 'The name has a hash of the content.',
  request: { params: z.object({ file: z.string() }) },
  responses: {
    200: {
      description: 'OK',
      content: { 'text/css': text, 'text/javascript': text, 'image/svg+xml': text, 'font/woff2': font },
    },
  },
  errors: ['invalid_request', 'not_found'],
  createHandler: () => async (req, res) => {
    const name = String(req.params.file)
    const encoding = encodingFor(req, name)
    const file = new URL(`dashboard/static/${name}${suffixes[encoding] ?? ''}`, siteFolder)
    const bytes = fileName.test(name) ? await loadPageFile(file).catch(() => undefined) : undefined
    if (bytes === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
    const headers = apiHeaders(req.id, pageFileType(name), 'public, max-age=31536000, immutable')
    headers.push('content-length', String(bytes.length), 'vary', 'accept-encoding')
    if (encoding !== 'identity') headers.push('content-encoding', encoding)
    res.writeHead(200, headers)
    res.end(bytes)
  },
}
