import { fileURLToPath } from 'node:url'
import { startLocalServer } from '@parlance/testing'
import { build } from 'esbuild'

export interface PageServer {
  readonly url: string
  close(): void
}

/** Serves a page that runs this script, and the tokens of its backend. An origin of its own, as an integrator's is. */
export const openPageServer = async (script: URL, token: (agentId: string) => Promise<string>): Promise<PageServer> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    format: 'esm',
    write: false,
    outdir: 'page',
    conditions: ['development'],
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: Object.fromEntries(
      ['client/index', 'client/speech', 'react/index', 'avatar/index'].map((module) => [
        `@parlance/${module.replace('/index', '')}`,
        fileURLToPath(new URL(`../web/${module.replace('/', '/src/')}.ts`, import.meta.url)),
      ]),
    ),
  })
  return startLocalServer(async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    if (path === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(outputFiles[0]!.text)
    } else if (path.startsWith('/token/')) {
      const minted = await token(path.slice('/token/'.length)).catch(() => undefined)
      if (minted === undefined) response.writeHead(502).end()
      else response.end(minted)
    } else {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>')
    }
  })
}
