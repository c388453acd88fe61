import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { sendJson } from '../json-response.js'

/** `GET /v1/openapi.json` */
export const createOpenapiHandler = (document: object): RequestHandler => {
  const json = Buffer.from(JSON.stringify(document))
  return (req, res) => sendJson(req, res, json, 'public, max-age=60')
}

/** `GET /` */
export const redirectToDocs: RequestHandler = (req, res) => {
  res.writeHead(302, ['location', '/docs', 'x-request-id', req.id, 'content-length', '0']).end()
}

/** The page may load what comes from here, and talk to here, and nothing else. */
export const guardPage: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      // Icons are inside the style sheet; audio that was asked for is played from memory.
      'img-src': ["'self'", 'data:'],
      'media-src': ['blob:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // Whether there is TLS is known to whoever ends it, which is not this process.
  strictTransportSecurity: false,
})

const own = new URL('../../assets/docs/', import.meta.url)
const swagger = new URL('./', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))

const javascript = 'text/javascript; charset=utf-8'
const css = 'text/css; charset=utf-8'

/** All that can be had under `/docs/`, by name. */
const assets = new Map([
  ['docs.css', { folder: own, type: css }],
  ['docs.js', { folder: own, type: javascript }],
  ['icon.svg', { folder: own, type: 'image/svg+xml' }],
  ['swagger-ui.css', { folder: swagger, type: css }],
  ['swagger-ui-bundle.js', { folder: swagger, type: javascript }],
])

const loaded = new Map<string, Promise<Buffer>>()

const load = (file: URL): Promise<Buffer> => {
  const bytes = loaded.get(file.href) ?? readFile(file)
  loaded.set(file.href, bytes)
  return bytes
}

const send = async (res: Response, file: URL, type: string, cacheControl: string): Promise<void> => {
  const bytes = await load(file)
  res.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': cacheControl,
    'x-request-id': res.req.id,
  })
  res.end(bytes)
}

/** `GET /docs` */
export const answerDocsPage: RequestHandler = (_req, res) =>
  send(res, new URL('index.html', own), 'text/html; charset=utf-8', 'no-cache')

/** `GET /docs/:asset` */
export const answerDocsAsset: RequestHandler = async (req, res) => {
  const name = String(req.params.asset)
  const asset = assets.get(name)
  if (asset === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
  await send(res, new URL(name, asset.folder), asset.type, 'public, max-age=3600')
}
