import fc from 'fast-check'
import { agentId } from './fake-agents.js'
import { keys } from './fake-services.js'
import { generatedBody } from './generated-body.js'

/** A request as bytes on a connection, with what must be known of it to judge the answer. */
export interface GeneratedRequest {
  readonly method: string
  readonly bytes: Uint8Array
  /** It promises more than it sends: the connection must be ended for the server to know. */
  readonly cutShort: boolean
}

const posted = fc.constantFrom('/v1/tts', '/v1/tts', '/v1/audio/speech', '/v1/agents', `/v1/agents/${agentId}/publish`)
const got = fc.constantFrom(
  '/v1/voices',
  '/v1/avatars',
  '/v1/agents',
  `/v1/agents/${agentId}`,
  `/v1/agents/${agentId}/revisions`,
  `/v1/agents/${agentId}/publications`,
  '/v1/agents/nobody',
  '/v1/openapi.json',
  '/',
  '/docs/api',
  '/docs/',
)
const odd = fc.oneof(
  fc.constantFrom(
    '/v1/tts/',
    '/V1/TTS',
    '//v1/tts',
    '/v1/./voices',
    '/docs/api/reference.js',
    '/docs/__proto__',
    '/%00',
    '/docs/..%2f',
    '/docs/api/..%2f',
  ),
  fc.constantFrom('*', 'http://[', 'http://x/v1/voices', '/dashboard/static/%ff', 'x', '/v1/voices#x', 'http://x'),
  fc.webPath(),
)

const method = fc.constantFrom('POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY')

const target = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(fc.constant('POST'), posted) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('GET'), got) },
  { weight: 2, arbitrary: fc.tuple(method, fc.oneof(posted, got)) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('GET', 'POST'), odd) },
)

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom('limit', 'cursor', '__proto__', 'limit[]', ''), fc.webSegment()), {
        maxLength: 3,
      })
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
  },
)

/** Bytes that may stand in a header, and some that may not. */
const headerValue = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, '')) },
)

const header: fc.Arbitrary<[name: string, value: string]> = fc.oneof(
  fc.tuple(
    fc.constant('content-type'),
    fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/json;', ';', 'multipart/form-data'),
  ),
  fc.tuple(
    fc.constant('accept'),
    fc.constantFrom('application/json', 'audio/*', 'text/html', '*/*;q=0', ',', 'text/event-stream', ';q=x'),
  ),
  fc.tuple(fc.constant('content-encoding'), fc.constantFrom('gzip', 'identity', 'br', 'zstd', '')),
  fc.tuple(fc.constant('expect'), fc.constantFrom('100-continue', '200-ok')),
  fc.tuple(
    fc.constantFrom('x-request-id', 'traceparent', 'range', 'if-none-match', 'if-match', 'upgrade', 'cookie'),
    headerValue,
  ),
  fc.tuple(
    fc.constantFrom('authorization', 'content-length', 'transfer-encoding', 'host', 'accept-encoding'),
    headerValue,
  ),
)

const authorization = fc.oneof(
  { weight: 8, arbitrary: fc.constant(`Bearer ${keys.good}`) },
  { weight: 1, arbitrary: fc.constantFrom(`Bearer ${keys.suspended}`, `Bearer ${keys.withoutTts}`, 'Bearer', '') },
)

export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc
  .record({
    target,
    query,
    authorization,
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 2, arbitrary: fc.array(header, { maxLength: 3 }) },
    ),
    body: generatedBody,
    /** By how much `content-length` lies, null for a chunked body. */
    lie: fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -20, max: 20 }) },
      { weight: 2, arbitrary: fc.constant(null) },
    ),
  })
  .map(({ target: [method, path], query, authorization, headers, body, lie }) => {
    const length = lie === null ? null : Math.max(0, body.length + lie)
    const lines = [
      `${method} ${path}${query} HTTP/1.1`,
      'host: x',
      'connection: close',
      `authorization: ${authorization}`,
      ...(headers.some(([name]) => name === 'content-type') ? [] : ['content-type: application/json']),
      ...headers.map(([name, value]) => `${name}: ${value}`),
      length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    ]
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8')
    const chunked = [
      Buffer.from(body.length > 0 ? `${body.length.toString(16)}\r\n` : ''),
      body,
      Buffer.from(body.length > 0 ? '\r\n0\r\n\r\n' : '0\r\n\r\n'),
    ]
    return {
      method,
      bytes: Buffer.concat([head, ...(length === null ? chunked : [body])]),
      // A header of one's own about the length, or an upgrade, can make any body look unfinished.
      cutShort:
        (length ?? 0) > body.length ||
        headers.some(([name]) => name === 'content-length' || name === 'transfer-encoding'),
    }
  })
