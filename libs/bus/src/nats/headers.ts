import type { Headers } from '../bus.js'

const version = 'NATS/1.0'
const lineBreak = /[\r\n]/

/** Throws `RangeError` for a name or a value that would be read as more than one header. */
export const encodeHeaders = (headers: Headers): Buffer => {
  let text = `${version}\r\n`
  for (const name in headers) {
    const value = headers[name]!
    if (lineBreak.test(name) || lineBreak.test(value)) throw new RangeError('a header is one line')
    text += `${name}: ${value}\r\n`
  }
  return Buffer.from(`${text}\r\n`, 'utf8')
}

export interface ReceivedHeaders {
  /** By their names in lower case. */
  readonly headers: Headers
  /** Of what the server says itself, such as 503 for a request that nobody listens to. */
  readonly status: number | undefined
}

export const decodeHeaders = (bytes: Buffer): ReceivedHeaders => {
  const [first = '', ...lines] = bytes.toString('utf8').split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const status = first.slice(version.length).trim()
  return { headers, status: status === '' ? undefined : Number.parseInt(status, 10) }
}
