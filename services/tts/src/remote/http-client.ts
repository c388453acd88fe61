/**
 * Requests to one server over persistent connections. Redirects are never followed: the requests carry a secret, which is sent
 * only to the configured address.
 */
import { isErrorName } from '@parlance/contracts'
import { type Dispatcher, errors, Pool } from 'undici'
import { failureOfStatus, RemoteFailure, retryAfterMsOf } from './remote-failure.js'

interface HttpClientOptions {
  readonly baseUrl: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly connectTimeoutMs: number
}

/** Throws a `RemoteFailure` when the body is cut off, and the signal's reason when that is aborted. */
type HttpBody = AsyncIterable<Uint8Array>

const keepAliveMs = 120_000
const maxJsonBytes = 8 * 1024 * 1024
const maxErrorBytes = 64 * 1024

const isJson = (contentType: string) => contentType === '' || /[/+]json$/.test(contentType)

const contentTypeOf = (headers: Dispatcher.ResponseData['headers']): string =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase()

/** Finds the name of an error, such as `invalid_api_key`, in any field. Nothing else of a server's error is used. */
const codeIn = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { error, detail, code, error_code, status, type } = answer as Record<string, unknown>
  const names = [code, error_code, status, error, type]
  return names.find(isErrorName) ?? codeIn(error) ?? codeIn(detail)
}

/** Converts an error of the connection. */
const failureOfConnection = (cause: unknown): RemoteFailure => {
  if (cause instanceof RemoteFailure) return cause
  if (cause instanceof errors.ConnectTimeoutError) {
    return new RemoteFailure('failing', 'the server cannot be reached in time', { cause })
  }
  return new RemoteFailure('failing', 'the connection to the server failed', { cause })
}

export const createHttpClient = (options: HttpClientOptions) => {
  const base = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`)
  const pool = new Pool(base.origin, {
    connections: options.connections,
    connect: { timeout: options.connectTimeoutMs },
    keepAliveTimeout: keepAliveMs,
    // The callers limit how long a server may take.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const request = async (method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: string) => {
    signal.throwIfAborted()
    try {
      const { pathname, search } = new URL(path, base)
      const response = await pool.request({
        path: pathname + search,
        method,
        signal,
        headers: { ...options.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      })
      // A reader gets an error from the iterator. Without a reader it is ignored.
      response.body.on('error', () => {})
      return response
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOfConnection(error)
    }
  }

  async function* chunksOf(body: Dispatcher.ResponseData['body'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) yield chunk as Uint8Array
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOfConnection(error)
    }
  }

  const readJson = async (response: Dispatcher.ResponseData, maxBytes: number, signal: AbortSignal) => {
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of chunksOf(response.body, signal)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new RemoteFailure('broken', 'an answer that is too long')
      parts.push(chunk)
    }
    if (!isJson(contentTypeOf(response.headers))) throw new RemoteFailure('broken', 'an answer that is not JSON')
    try {
      return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
    } catch (cause) {
      throw new RemoteFailure('broken', 'an answer that is not JSON', { cause })
    }
  }

  const succeed = async (response: Dispatcher.ResponseData, signal: AbortSignal) => {
    const { statusCode, headers } = response
    const encoding = headers['content-encoding'] ?? 'identity'
    if (statusCode === 200 && encoding === 'identity') return response
    // The status is enough when the body cannot be read.
    const answer = await readJson(response, maxErrorBytes, signal).catch(() => undefined)
    signal.throwIfAborted()
    if (statusCode === 200)
      throw new RemoteFailure('broken', 'the response is compressed although no compression was accepted')
    throw failureOfStatus(statusCode, codeIn(answer), retryAfterMsOf(headers['retry-after']))
  }

  return {
    /**
     * Paths are relative to the base URL. Both reject with a `RemoteFailure` on any status but 200; `post` also when the
     * content type is one of the refused.
     */
    async post(path: string, body: unknown, refused: RegExp, signal: AbortSignal): Promise<HttpBody> {
      const response = await succeed(await request('POST', path, signal, JSON.stringify(body)), signal)
      if (refused.test(contentTypeOf(response.headers))) {
        response.body.destroy()
        throw new RemoteFailure('broken', 'the server answered with something other than speech')
      }
      return chunksOf(response.body, signal)
    },
    async getJson(path: string, signal: AbortSignal): Promise<unknown> {
      return readJson(await succeed(await request('GET', path, signal), signal), maxJsonBytes, signal)
    },
    close: (): Promise<void> => pool.destroy(),
  }
}
