/**
 * The documentation below `/docs`, which the build of `@parlance/site` makes. The page at `/docs/NAME` is the file `NAME.html`, the
 * one at `/docs/NAME/` is `NAME/index.html`.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { prefersPage } from '../../http/acceptable.js'
import { refuseOtherMethods } from '../../http/allowed-methods.js'
import { sendJson } from '../../http/json-response.js'
import { foreverCached, loadPageFile, pageHeaders, sendPageFile } from './page-file.js'

const manifest = pathToFileURL(createRequire(import.meta.url).resolve('@parlance/site/package.json'))
const siteFolder = new URL('./dist/site/', manifest)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** The names of all files of the site, without their compressed copies. Empty when it was not built. */
const listFiles = (): ReadonlySet<string> => {
  try {
    const entries = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' })
    return new Set(entries.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.(?!br$|gz$)\w+$/.test(name)))
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

const methods = ['GET', 'HEAD']
const refuseOthers = refuseOtherMethods(methods)

/**
 * Middleware that serves the documentation, and passes on all other requests. Readers may talk with the public Agent that
 * `docsAgentId` names.
 */
export const createServeSite = (docsAgentId: string | undefined): RequestHandler => {
  let files: ReadonlySet<string> = new Set()
  let setHeaders: RequestHandler | undefined

  /** All pages have the same scripts within them. */
  const open = async (): Promise<RequestHandler> => {
    files = listFiles()
    if (!files.has('404.html')) {
      throw new ServiceError('unavailable', 'The documentation is not built. Run `npm run build`.')
    }
    return pageHeaders({ scripts: scriptHashes(String((await loadPageFile(new URL('404.html', siteFolder))).bytes)) })
  }

  return async (req, res, next) => {
    const [, slash, path = ''] = /^\/docs(\/?)(.*)$/.exec(req.path) ?? []
    if (slash === undefined || (slash === '' && path !== '')) return next()
    if (!methods.includes(req.method)) return refuseOthers(req, res, next)
    // Links of the pages are relative to the slash.
    if (slash === '') return res.redirect(302, '/docs/')
    if (path === 'agent.json') return sendJson(req, res, JSON.stringify({ agent_id: docsAgentId ?? null }), 'no-cache')
    setHeaders ??= await open()
    const name = fileFor(path)
    const isFound = files.has(name) && name !== '404.html'
    if (!isFound && !prefersPage(req)) throw new ServiceError('not_found', 'There is nothing at this path.')
    const file = new URL(isFound ? name : '404.html', siteFolder)
    const cacheControl = isFound && isNamedByContent(name) ? foreverCached : 'no-cache'
    const status = isFound ? 200 : 404
    setHeaders(req, res, () => void sendPageFile(req, res, file, { cacheControl, status }).catch(next))
  }
}
