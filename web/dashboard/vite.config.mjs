import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from '../../scripts/compress.mjs'
import { pagePaths } from './src/page-paths.ts'

/** Lists the paths of the pages for the server, which answers every other path with 404. */
const listPagePaths = {
  name: 'page-paths',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'page-paths.json', source: JSON.stringify(pagePaths) })
  },
}

/** Writes the licenses of the packages in the scripts of workers, which `build.license` leaves out. */
const licensesOfWorkers = {
  name: 'licenses-of-workers',
  async generateBundle() {
    const packages = new Set([...this.getModuleIds()].flatMap((id) => /.*\/node_modules\/[^/]+/.exec(id)?.[0] ?? []))
    const licenses = [...packages].map(async (folder) => {
      return `## ${basename(folder)}\n\n${await readFile(join(folder, 'LICENSE'), 'utf8')}`
    })
    const source = (await Promise.all(licenses)).join('\n')
    this.emitFile({ type: 'asset', fileName: '.vite/license-of-workers.md', source })
  },
}

export default defineConfig({
  plugins: [react(), listPagePaths, { name: 'compressed-files', writeBundle: ({ dir }) => compressFiles(dir) }],
  worker: { plugins: () => [licensesOfWorkers] },
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
