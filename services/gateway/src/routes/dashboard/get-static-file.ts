import { ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { guardHeaders } from '../../http/json-response.js'
import { foreverCached, sendPageFile } from '../pages/page-file.js'
import { siteFolder } from '../pages/serve-pages.js'
import { noAuthentication, type Route } from '../route.js'

const text = { schema: z.string() }
const font = { schema: { type: 'string', format: 'binary' } } as const

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
    const notFound = () => new ServiceError('not_found', 'There is nothing at this path.')
    if (!fileName.test(name)) throw notFound()
    const file = new URL(`dashboard/static/${name}`, siteFolder)
    await sendPageFile(req, res, file, { cacheControl: foreverCached, headers: guardHeaders }).catch(() => {
      throw notFound()
    })
  },
}
