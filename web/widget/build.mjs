// Builds what the gateway serves: the script of the widget, and the renderer that it loads for an avatar. Each has a compressed copy
// for each encoding that the gateway may send.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const site = new URL('dist/site/', import.meta.url)
rmSync(site, { recursive: true, force: true })

const shared = {
  bundle: true,
  minify: true,
  target: ['es2022'],
  outdir: fileURLToPath(site),
  loader: { '.css': 'text' },
  legalComments: 'inline',
  logLevel: 'warning',
}
await build({ ...shared, entryPoints: { widget: here('src/widget.ts') }, format: 'iife' })
await build({ ...shared, entryPoints: { avatar: here('src/avatar.ts') }, format: 'esm' })

for (const name of readdirSync(site)) {
  const bytes = readFileSync(new URL(name, site))
  writeFileSync(new URL(`${name}.br`, site), brotliCompressSync(bytes))
  writeFileSync(new URL(`${name}.gz`, site), gzipSync(bytes, { level: 9 }))
}
