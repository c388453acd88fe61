import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
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

/** Elements within a page that are permitted beside the files of the gateway. */
interface PermittedElements {
  readonly styles?: (res: Response) => string
  readonly scripts?: readonly string[]
}

/**
 * Middleware that sets the security headers of a page: it may load files from the gateway and call the gateway, and nothing
 * else.
 */
export const pageHeaders = ({ styles = () => '', scripts = [] }: PermittedElements = {}): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...scripts],
        'style-src': ["'self'", (_req, res) => styles(res as Response)],
        // The style sheet contains its icons.
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'"],
        // Audio from the API is played from memory.
        'media-src': ["'self'", 'blob:'],
        // This includes WebSockets to the same host.
        'connect-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // The gateway does not terminate TLS, so it does not know whether TLS is used.
    strictTransportSecurity: false,
  })
