import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ServiceError } from '@parlance/contracts'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** The page may load what comes from here, and talk to here, and nothing else. */
const guardPage: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      // Icons are inside the style sheet; audio that was asked for is played from memory.
      'img-src': ["'self'", 'data:'],
      'media-src': ['blob:'],
      // WebSockets to this host as well.
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // Whether there is TLS is known to whoever ends it, which is not this process.
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

export interface Page {
  /** The handlers of the page itself. */
  readonly page: readonly RequestHandler[]
  /** The handlers of its parts, by the parameter `asset`. */
  readonly asset: readonly RequestHandler[]
}

const shared = new URL('../../assets/shared/', import.meta.url)

/** What the pages that call the API with a key have in common. */
export const sharedParts: ReadonlyMap<string, URL> = new Map([
  ['icon.svg', new URL('../../assets/docs/', import.meta.url)],
  ...['page.css', 'api.js', 'key-form.js'].map((name) => [name, shared] as const),
])

/** The page whose `index.html` is in that folder; `assets` tells of all its parts which folder each is in. */
export const createPage = (folder: URL, assets: ReadonlyMap<string, URL>): Page => ({
  page: [guardPage, (_req, res) => send(res, new URL('index.html', folder), 'no-cache')],
  asset: [
    guardPage,
    async (req, res) => {
      const name = String(req.params.asset)
      const assetFolder = assets.get(name)
      if (assetFolder === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
      await send(res, new URL(name, assetFolder), 'public, max-age=3600')
    },
  ],
})
