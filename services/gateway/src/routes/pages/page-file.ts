import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { etagOf, isNotModified } from '../../http/entity-tag.js'

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

const typeOf = (file: URL): string => types[extname(file.pathname)] ?? 'application/octet-stream'

interface PageFile {
  readonly bytes: Buffer
  readonly etag: string
}

const loaded = new Map<string, Promise<PageFile>>()

/** A file that is part of the program, which is read once. Rejects when there is no such file. */
export const loadPageFile = (file: URL): Promise<PageFile> => {
  const known = loaded.get(file.href)
  if (known !== undefined) return known
  const read = readFile(file).then((bytes) => ({ bytes, etag: etagOf(bytes) }))
  loaded.set(file.href, read)
  read.catch(() => loaded.delete(file.href))
  return read
}

/** The build writes a copy of each text for each encoding: see `scripts/compress.mjs`. */
const suffixes: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' }
const isCompressed = (file: URL): boolean => !/\.(html|js|css|svg|json)$/.test(file.pathname)

/** For a file with a hash of its content in its name. */
export const foreverCached = 'public, max-age=31536000, immutable'

interface SentFile {
  readonly cacheControl: string
  readonly status?: number
  /** Further headers, as a flat array. */
  readonly headers?: readonly string[]
}

/** Sends a file of a build in the encoding that the client prefers, or 304. Rejects when there is no such file, and has sent nothing then. */
export const sendPageFile = async (
  req: Request,
  res: Response,
  file: URL,
  { cacheControl, status = 200, headers = [] }: SentFile,
): Promise<void> => {
  const encoding = (!isCompressed(file) && req.acceptsEncodings('br', 'gzip', 'identity')) || 'identity'
  const { bytes, etag } = await loadPageFile(new URL(`${file.href}${suffixes[encoding] ?? ''}`))
  const sent = [
    'x-request-id',
    req.id,
    'cache-control',
    cacheControl,
    'etag',
    etag,
    'vary',
    'accept-encoding',
    ...headers,
  ]
  if (isNotModified(req, etag)) return void res.writeHead(304, sent).end()
  sent.push('content-type', typeOf(file))
  if (encoding !== 'identity') sent.push('content-encoding', encoding)
  // Safari plays audio only from servers that send parts.
  const range = encoding === 'identity' ? req.range(bytes.length) : undefined
  const part = Array.isArray(range) && range.length === 1 ? range[0] : undefined
  if (part !== undefined) sent.push('content-range', `bytes ${part.start}-${part.end}/${bytes.length}`)
  const body = part === undefined ? bytes : bytes.subarray(part.start, part.end + 1)
  sent.push('content-length', String(body.length))
  res.writeHead(part === undefined ? status : 206, sent).end(body)
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
