/**
 * What the protocols of vendors under `/v1/compat` have in common: where a client puts its key, and the fields that it reads of an
 * error.
 */
import type { IncomingMessage } from 'node:http'
import type { ErrorBody } from '@parlance/contracts'

const vendors = ['elevenlabs', 'deepgram', 'cartesia', 'jambonz'] as const
type Vendor = (typeof vendors)[number]

const vendorPath = new RegExp(`^/v1/compat/(${vendors.join('|')})/`)

/** The vendor whose protocol a path or an address belongs to. */
export const vendorOf = (path: string): Vendor | undefined => vendorPath.exec(path)?.[1] as Vendor | undefined

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

/** In a WebSocket's subprotocols: `token, KEY` and `bearer, KEY`. */
const keyInSubprotocols = (header: string | undefined): string | undefined => {
  const [scheme, key] = (header ?? '').split(',').map((protocol) => protocol.trim())
  return scheme === 'token' || scheme === 'bearer' ? key : undefined
}

/**
 * The `Authorization` header of a request. Under the paths of vendors it is made of the vendors' headers: `xi-api-key`, `X-API-Key`,
 * `Authorization: Token` and the subprotocols. A key in the query is not read.
 */
export const authorizationOf = ({
  url = '',
  headers,
}: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined => {
  const { authorization } = headers
  if (vendorOf(url) === undefined) return authorization
  const key =
    one(headers['xi-api-key']) ??
    one(headers['x-api-key']) ??
    /^token +(\S+) *$/i.exec(authorization ?? '')?.[1] ??
    (authorization === undefined ? keyInSubprotocols(headers['sec-websocket-protocol']) : undefined)
  return key === undefined ? authorization : `Bearer ${key}`
}

/**
 * An error with the fields that the vendor's clients read, beside the five keys. ElevenLabs has its own in `detail`, which is one of the
 * five.
 */
export const vendorErrorBody = (vendor: Vendor, body: ErrorBody): ErrorBody & Readonly<Record<string, unknown>> => {
  const { code, detail } = body
  switch (vendor) {
    case 'elevenlabs':
      return { ...body, status: code, message: detail }
    case 'deepgram':
      return { ...body, err_code: code.toUpperCase(), err_msg: detail }
    case 'cartesia':
      return { ...body, error_code: code, title: code.replaceAll('_', ' '), message: detail }
    case 'jambonz':
      return { ...body, error: detail }
  }
}
