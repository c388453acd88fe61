/**
 * The pages of the dashboard. They are one document, in which the dashboard's own router shows the page of the path. The
 * build of the dashboard lists the paths, so that a path without a page is answered with 404.
 */
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import { prefersPage } from '../../http/acceptable.js'
import { refuseOtherMethods } from '../../http/allowed-methods.js'
import { loadPageFile, pageHeaders } from './page-file.js'

const manifest = pathToFileURL(createRequire(import.meta.url).resolve('@parlance/dashboard/package.json'))

/** The folder into which the dashboard is built. */
export const siteFolder = new URL('./dist/site/', manifest)

interface DashboardSite {
  /** The page in which the dashboard runs. It has the placeholder of a nonce. */
  readonly html: string
  /** Whether the dashboard has a page at this path. */
  isPage(path: string): boolean
}

/** The placeholder in the build for the nonce of a response. */
const noncePlaceholder = 'parlance-nonce'

/** `/agents/$agentId`, in the notation of the dashboard's router, as an expression. */
const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^{}()|[\]\\]/g, '\\$&').replace(/\$\w+/g, '[^/]+')}${path === '/' ? '' : '/?'}$`)

/** Reads the built dashboard. Rejects when it was not built. */
const loadDashboardSite = async (): Promise<DashboardSite> => {
  const [html, paths] = await Promise.all(
    ['index.html', 'page-paths.json'].map(async (name) =>
      String((await loadPageFile(new URL(name, siteFolder))).bytes),
    ),
  )
  const pages = (JSON.parse(paths!) as string[]).map(expressionOf)
  return { html: html!, isPage: (path) => pages.some((page) => page.test(path)) }
}

/** Requests below these paths come from programs, not from people in browsers. */
const notForPages = /^\/(v1|dashboard|assets)\//

const isNavigation = (req: Request): boolean => !notForPages.test(req.path) && prefersPage(req)

const methods = ['GET', 'HEAD']
const refuseOthers = refuseOtherMethods(methods)

/** Middleware that serves the pages of the dashboard, and passes on all other requests. */
export const createServePages = (): RequestHandler => {
  let site: DashboardSite | undefined
  const setHeaders = pageHeaders({ styles: (res) => `'nonce-${res.locals.nonce}'` })

  const siteFor = async ({ path }: Request): Promise<DashboardSite | undefined> => {
    site ??= await loadDashboardSite().catch((cause) => {
      if (path !== '/') return undefined
      throw new ServiceError('unavailable', 'The dashboard is not built. Run `npm run build`.', { cause })
    })
    return site
  }

  return async (req, res, next) => {
    const found = await siteFor(req)
    const isPage = found?.isPage(req.path) ?? false
    if (!methods.includes(req.method)) return isPage ? refuseOthers(req, res, next) : next()
    if (found === undefined || !(isPage || isNavigation(req))) return next()
    const nonce = randomBytes(18).toString('base64url')
    res.locals.nonce = nonce
    setHeaders(req, res, () => {
      const html = Buffer.from(found.html.replaceAll(noncePlaceholder, nonce))
      res.writeHead(isPage ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': html.length,
        // Each response has a nonce of its own.
        'cache-control': 'no-store',
        'x-request-id': req.id,
      })
      res.end(html)
    })
  }
}
