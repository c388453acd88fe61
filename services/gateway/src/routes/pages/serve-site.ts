/**
 * The documentation below `/docs`, which the build of `@parlance/site` makes. The page at `/docs/NAME` is the file `NAME.html`, the
 * one at `/docs/NAME/` is `NAME/index.html`.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ServiceError } from '@parlance/contracts'
import type { Request, RequestHandler, Response } from 'express'
import { prefersPage } from '../../http/acceptable.js'
import { refuseOtherMethods } from '../../http/allowed-methods.js'
import { etagOf, isNotModified } from '../../http/entity-tag.js'
import { loadPageFile, pageFileType, pageHeaders } from './page-file.js'

const manifest = pathToFileURL(createRequire(import.meta.url).resolve('@parlance/site/package.json'))
const siteFolder = new URL('./dist/site/', manifest)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

interface LoadedFile {
  readonly bytes: Buffer
  readonly gzipped: Buffer
  readonly etag: string
}

const load = async (name: string): Promise<LoadedFile> => {
  const bytes = await loadPageFile(new URL(name, siteFolder))
  return { bytes, gzipped: await promisify(gzip)(bytes, { level: 9 }), etag: etagOf(bytes) }
}

/** The names of all files of the site. Empty when it was not built. */
const listFiles = (): ReadonlySet<string> => {
  try {
    const entries = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' })
    return new Set(entries.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.\w+$/.test(name)))
  } catch {
    return new Set()
  }
}

/** The sources of the scripts in a page, for its policy. */
const scriptHashes = (html: string): string[] =>
  [...html.matchAll(/<script(?: id="[\w-]+")?>(.*?)<\/script>/gs)].map(([, script]) => `'sha256-${sha256(script!)}'`)

/** The name of the file for a path below `/docs/`. A page has one address, without the suffix of its file. */
const fileFor = (path: string): string => {
  if (path === '' || path.endsWith('/')) return `${path}index.html`
  return /\.(?!html$)\w+$/.test(path) ? path : `${path}.html`
}

/** Vite puts a hash of the content into the names of these. */
const isNamedByContent = (name: string): boolean => name.startsWith('assets/')
const isCompressed = (name: string): boolean => /\.(woff2|png|webp|mp3)$/.test(name)

const methods = ['GET', 'HEAD']
const refuseOthers = refuseOtherMethods(methods)

/** Middleware that serves the documentation, and passes on all other requests. */
export const createServeSite = (): RequestHandler => {
  const loaded = new Map<string, Promise<LoadedFile>>()
  let files: ReadonlySet<string> = new Set()
  let setHeaders: RequestHandler | undefined

  const fileOf = (name: string): Promise<LoadedFile> => {
    const known = loaded.get(name) ?? load(name)
    loaded.set(name, known)
    return known
  }

  /** All pages have the same scripts within them. */
  const open = async (): Promise<RequestHandler> => {
    files = listFiles()
    if (!files.has('404.html')) {
      throw new ServiceError('unavailable', 'The documentation is not built. Run `npm run build`.')
    }
    return pageHeaders({ scripts: scriptHashes(String((await fileOf('404.html')).bytes)) })
  }

  const send = async (req: Request, res: Response, status: number, name: string): Promise<void> => {
    const { bytes, gzipped, etag } = await fileOf(name)
    const cacheControl = isNamedByContent(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
    res.set({ 'cache-control': cacheControl, 'x-request-id': req.id, vary: 'accept-encoding', etag })
    res.status(status)
    if (isNotModified(req, etag)) return void res.status(304).end()
    const isGzipped = !isCompressed(name) && req.acceptsEncodings('gzip', 'identity') === 'gzip'
    if (isGzipped) res.set('content-encoding', 'gzip')
    const body = isGzipped ? gzipped : bytes
    res.set({ 'content-type': pageFileType(name), 'content-length': String(body.length) }).end(body)
  }

  return async (req, res, next) => {
    const [, slash, path = ''] = /^\/docs(\/?)(.*)$/.exec(req.path) ?? []
    if (slash === undefined || (slash === '' && path !== '')) return next()
    if (!methods.includes(req.method)) return refuseOthers(req, res, next)
    // Links of the pages are relative to the slash.
    if (slash === '') return res.redirect(302, '/docs/')
    setHeaders ??= await open()
    const name = fileFor(path)
    const isFound = files.has(name) && name !== '404.html'
    if (!isFound && !prefersPage(req)) throw new ServiceError('not_found', 'There is nothing at this path.')
    setHeaders(req, res, () => void send(req, res, isFound ? 200 : 404, isFound ? name : '404.html').catch(next))
  }
}
