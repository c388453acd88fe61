/**
 * HTTP to addresses that users choose.
 *
 * - It connects only to the public Internet, and to addresses that the operator allows: see `guarded-connector.ts`.
 * - A redirect is refused: it would choose another address.
 * - Nothing of the environment or of earlier requests is used: no proxy, no cookie, no credentials.
 */
import { Agent, request } from 'undici'
import { EgressError } from './egress-error.js'
import { createEgressGuard, type EgressGuardOptions } from './egress-guard.js'

export interface EgressClientOptions extends EgressGuardOptions {
  /**
   * How long a connection is kept for the next request, in ms. By default it is not kept: a request over a kept connection
   * may fail without a sign of whether it was read.
   */
  readonly keepMs?: number
}

export interface EgressRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The time limit of a request to the end of its response, in ms. */
  readonly timeoutMs: number
  /** The maximum size of the response body. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface EgressResponse {
  readonly status: number
  /** Such as `application/json`, in lower case and without parameters; empty when the response has no content type. */
  readonly mediaType: string
  /** The body, decoded as UTF-8. */
  readonly text: string
}

const readText = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new EgressError('too_long', `The response is longer than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const mediaTypeOf = (header: string | string[] | undefined): string =>
  [header].flat()[0]?.split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * Sends HTTP requests to addresses that customers chose. It connects to allowed addresses only, and resolves each name once
 * for the check and the connection.
 */
export const createEgressClient = (options: EgressClientOptions) => {
  const { keepMs } = options
  const guard = createEgressGuard(options)
  const dispatcher = new Agent({
    connect: guard.connect,
    // One signal limits the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepMs === undefined ? { pipelining: 0 } : { keepAliveTimeout: keepMs }),
  })

  const exchange = async (url: URL, given: EgressRequest, signal: AbortSignal): Promise<EgressResponse> => {
    const { method, body, maxBytes } = given
    const answer = await request(url, {
      dispatcher,
      method,
      signal,
      headers: { 'accept-encoding': 'identity', ...given.headers },
      ...(body === undefined ? {} : { body }),
    })
    const { statusCode: status, headers } = answer
    if (status >= 300 && status < 400) {
      answer.body.on('error', () => {}).destroy()
      throw new EgressError('refused', 'The server responded with a redirect, which is not followed.')
    }
    return { status, mediaType: mediaTypeOf(headers['content-type']), text: await readText(answer.body, maxBytes) }
  }

  return {
    /** Rejects with `EgressError`, or with the signal's reason. Never retries. */
    async send(given: EgressRequest): Promise<EgressResponse> {
      given.signal.throwIfAborted()
      const url = guard.addressOf(given.url)
      const timeout = AbortSignal.timeout(given.timeoutMs)
      try {
        return await exchange(url, given, AbortSignal.any([given.signal, timeout]))
      } catch (error) {
        given.signal.throwIfAborted()
        if (timeout.aborted) throw new EgressError('timeout', 'The server did not answer in time.')
        if (error instanceof EgressError) throw error
        throw new EgressError('broken', 'The connection was lost, or the response is not HTTP.', { cause: error })
      }
    },
    /** Requests in progress are aborted. */
    close: (): Promise<void> => dispatcher.destroy(),
  }
}

export type EgressClient = ReturnType<typeof createEgressClient>
