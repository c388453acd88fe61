// Builds what the gateway serves: the script of the widget, and the renderer that it loads for an avatar.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compressFiles } from '../../scripts/compress.mjs'

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
await compressFiles(fileURLToPath(site))
