import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { RequestHandler } from 'express'
import { sendJson } from '../http/json-response.js'
import { createPage } from './page.js'

/** `GET /v1/openapi.json` */
export const createOpenapiHandler = (document: object): RequestHandler => {
  const json = Buffer.from(JSON.stringify(document))
  return (req, res) => sendJson(req, res, json, 'public, max-age=60')
}

/** `GET /` */
export const redirectToDocs: RequestHandler = (req, res) => {
  res.writeHead(302, ['location', '/docs', 'x-request-id', req.id, 'content-length', '0']).end()
}

const own = new URL('../../assets/docs/', import.meta.url)
const swagger = new URL('./', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))

/** The reference, at `/docs`. */
export const docs = createPage(
  own,
  new Map([
    ['docs.css', own],
    ['docs.js', own],
    ['icon.svg', own],
    ['swagger-ui.css', swagger],
    ['swagger-ui-bundle.js', swagger],
  ]),
)
