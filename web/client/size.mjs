// Prints the size that the client adds to a page: bundled, minified and gzipped.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('dist/index.js', import.meta.url))],
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
})
const { contents } = outputFiles[0]
console.log(`${contents.length} bytes, ${gzipSync(contents, { level: 9 }).length} gzipped`)
