import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { packTar, type TarEntry } from 'modern-tar'

/** The files below a folder, by their path in it. */
export const filesBelow = async (folder: string): Promise<Record<string, Uint8Array>> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const))
  return Object.fromEntries(files)
}

export const writeZip = (path: string, files: Record<string, Uint8Array>): Promise<void> =>
  writeFile(path, zipSync(files))

export const writeTar = async (path: string, files: Record<string, Uint8Array>, links: Record<string, string> = {}) => {
  const entries: TarEntry[] = [
    ...Object.entries(files).map(([name, body]) => ({ header: { name, size: body.length }, body })),
    ...Object.entries(links).map(([name, linkname]) => ({
      header: { name, size: 0, type: 'symlink' as const, linkname },
    })),
  ]
  const tar = await packTar(entries)
  await writeFile(path, path.endsWith('.gz') ? gzipSync(tar) : tar)
}
