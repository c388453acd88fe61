import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
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
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    if (path === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(outputFiles[0]!.text)
    } else if (path.startsWith('/token/')) {
      token(path.slice('/token/'.length)).then(
        (it) => response.end(it),
        () => response.writeHead(502).end(),
      )
    } else {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
