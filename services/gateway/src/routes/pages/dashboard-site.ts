import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { loadPageFile } from './page-file.js'

const manifest = pathToFileURL(createRequire(import.meta.url).resolve('@parlance/dashboard/package.json'))

/** The folder into which the dashboard is built. */
export const siteFolder = new URL('./dist/site/', manifest)

export interface DashboardSite {
  /** The page in which the dashboard runs. It has the placeholder of a nonce. */
  readonly html: string
  /** Whether the dashboard has a page at this path. */
  isPage(path: string): boolean
}

/** The placeholder in the build for the nonce of a response. */
export const noncePlaceholder = 'parlance-nonce'

/** `/agents/$agentId`, in the notation of the dashboard's router, as an expression. */
const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^{}()|[\]\\]/g, '\\$&').replace(/\$\w+/g, '[^/]+')}${path === '/' ? '' : '/?'}$`)

/** Reads the built dashboard. Rejects when it was not built. */
export const loadDashboardSite = async (): Promise<DashboardSite> => {
  const [html, paths] = await Promise.all(
    ['index.html', 'page-paths.json'].map(async (name) => String(await loadPageFile(new URL(name, siteFolder)))),
  )
  const pages = (JSON.parse(paths!) as string[]).map(expressionOf)
  return { html: html!, isPage: (path) => pages.some((page) => page.test(path)) }
}
