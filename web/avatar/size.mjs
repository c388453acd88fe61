// Prints the size that an avatar adds to a page, bundled, minified and gzipped: at first, and when an avatar is loaded.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const { outputFiles, metafile } = await build({
  entryPoints: [fileURLToPath(new URL('dist/index.js', import.meta.url))],
  bundle: true,
  splitting: true,
  minify: true,
  metafile: true,
  format: 'esm',
  outdir: 'size',
  write: false,
})
const { outputs } = metafile
const gzippedBytes = ([path]) => {
  const { contents } = outputFiles.find((file) => file.path.endsWith(path.split('/').pop()))
  return gzipSync(contents, { level: 9 }).length
}
const sum = (files) => files.reduce((total, file) => total + gzippedBytes(file), 0)

const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('dist/index.js'))
const importedAtOnce = entry[1].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
const isAtOnce = ([path]) => path === entry[0] || importedAtOnce.includes(path)
const all = Object.entries(outputs)
console.log(
  `${sum(all.filter(isAtOnce))} bytes gzipped at once, ` +
    `${sum(all.filter((file) => !isAtOnce(file)))} more for the first avatar`,
)
