import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pagePaths } from './src/page-paths.ts'

/** Lists the paths of the pages for the server, which answers every other path with 404. */
const listPagePaths = {
  name: 'page-paths',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'page-paths.json', source: JSON.stringify(pagePaths) })
  },
}

/** Writes a compressed copy of each file for each encoding that the server may send. */
const compressFiles = {
  name: 'compressed-files',
  async writeBundle({ dir }, bundle) {
    const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))
    for (const file of names.map((name) => join(dir, name))) {
      const bytes = await readFile(file)
      await writeFile(`${file}.br`, brotliCompressSync(bytes))
      await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  plugins: [react(), listPagePaths, compressFiles],
  build: {
    outDir: 'dist/site',
    // Below a path of the dashboard: /assets has the avatars.
    assetsDir: 'dashboard/static',
    assetsInlineLimit: 0,
    manifest: true,
    // The licenses of the packages in the pages.
    license: true,
    reportCompressedSize: false,
  },
  // The API of a running `npm start`, for `npx vite` in this folder.
  server: {
    proxy: {
      '^/(v1|dashboard/(api|auth)|assets|try/(natural-voice|recognizer|models)|docs)(/|$)': 'http://127.0.0.1:8080',
    },
  },
})
