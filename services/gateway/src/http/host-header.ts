import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@parlance/contracts'

/** A name or an address, with or without a port. */
const valid = /^(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/

/**
 * Throws `invalid_request` unless a request has exactly one valid Host header; HTTP/1.0 may leave it out. This replaces Node's
 * own check, which responds without a body and uses the first of two headers.
 */
export const checkHostHeader = ({ headers, httpVersion, rawHeaders }: IncomingMessage): void => {
  if (headers.host === undefined) {
    if (httpVersion === '1.0') return
    throw new ServiceError('invalid_request', 'The host header is missing.')
  }
  if (!valid.test(headers.host)) throw new ServiceError('invalid_request', 'The host header is not valid.')
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  if (count > 1) throw new ServiceError('invalid_request', 'There is more than one host header.')
}
