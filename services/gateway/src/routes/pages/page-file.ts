import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The media type of a file that a page loads. */
export const pageFileType = (name: string): string => types[extname(name)] ?? 'application/octet-stream'

const loaded = new Map<string, Promise<Buffer>>()

/** The bytes of a file that is part of the program, which is read once. Rejects when there is no such file. */
export const loadPageFile = (file: URL): Promise<Buffer> => {
  const known = loaded.get(file.href)
  if (known !== undefined) return known
  const bytes = readFile(file)
  loaded.set(file.href, bytes)
  bytes.catch(() => loaded.delete(file.href))
  return bytes
}
