import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { guardHeaders } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'
import { sendPageFile } from './page-file.js'

const manifest = pathToFileURL(createRequire(import.meta.url).resolve('@parlance/widget/package.json'))
const folder = new URL('./dist/site/', manifest)

/** Pages load it under one name, so an upgrade of the gateway reaches them after this time. */
const cacheControl = 'public, max-age=300'

const headers = { etag: z.string(), 'cache-control': z.string() }

const script = (path: string, file: string, operationId: string, summary: string): Route => ({
  method: 'get',
  path,
  authentication: noAuthentication,
  anyOrigin: true,
  operationId,
  tag: 'Operations',
  summary,
  request: { headers: z.object({ 'if-none-match': z.string().optional() }) },
  responses: {
    200: { description: 'The script.', headers, content: { 'text/javascript': { schema: z.string() } } },
    304: { description: 'Not modified.', headers },
  },
  errors: ['unavailable'],

  createHandler: () => async (req, res) => {
    // Pages under `Cross-Origin-Embedder-Policy` load only files with this header.
    const headers = [...guardHeaders, 'cross-origin-resource-policy', 'cross-origin']
    await sendPageFile(req, res, new URL(file, folder), { cacheControl, headers }).catch((cause) => {
      throw new ServiceError('unavailable', 'The widget is not built. Run `npm run build`.', { cause })
    })
  },
})

/** The web component for pages of any origin, and what it loads for an avatar. */
export const widget: readonly Route[] = [
  script('/widget.js', 'widget.js', 'getWidget', 'The web component `<parlance-agent>`'),
  script('/widget/avatar.js', 'avatar.js', 'getWidgetAvatar', 'The renderer that the widget loads for an avatar'),
]
