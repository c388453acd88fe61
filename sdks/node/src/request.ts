import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { components } from './openapi.js'

export interface ParlanceOptions {
  /** The address of the gateway, such as `https://voice.example.com`. */
  readonly url: string
  /** The key of a workspace, which starts with `awp_`. */
  readonly apiKey: string
  /** How often a request that failed is sent again, where that can help. Default: 2. */
  readonly maxRetries?: number
  /** How long one attempt may take, in ms; for audio, until its first byte. Default: 60,000. */
  readonly timeoutMs?: number
}

export interface RequestOptions {
  /** Aborts the request. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

export interface PostOptions extends RequestOptions {
  /** Default: a new one for each call, the same for all its attempts, so that a call has its effect once. */
  readonly idempotencyKey?: string | undefined
}

export interface ChangeOptions extends RequestOptions {
  /** Changes the Agent only while this is its version, such as `"rev-3"`: otherwise the call rejects with `revision_conflict`. */
  readonly ifMatch?: string | undefined
}

/** The codes of the API, and what can go wrong on the way to it. */
export type ParlanceErrorCode = components['schemas']['Error']['code'] | 'connection_failed' | 'timeout'

export interface ParlanceErrorFields {
  readonly code: ParlanceErrorCode
  readonly detail: string
  readonly retryable: boolean
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** Every error of this library but the reasons of signals. Match on `code`. */
export class ParlanceError extends Error {
  override readonly name = 'ParlanceError'
  readonly code: ParlanceErrorCode
  /** A description for people, which may change. */
  readonly detail: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** The HTTP status, where the error is a response. */
  readonly status: number | undefined
  /** The id of the request in the log of the installation. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor({ code, detail, retryable, status, requestId, retryAfterSeconds, cause }: ParlanceErrorFields) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.detail = detail
    this.retryable = retryable
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The error of a response, from its body where that is ours. A proxy may have answered instead of the gateway. */
export const errorOfResponse = (status: number, text: string, retryAfter: string | null | undefined): ParlanceError => {
  const retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined
  const rest = { status, retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : undefined }
  try {
    const { code, detail, retryable, request_id } = JSON.parse(text) as components['schemas']['Error']
    if (typeof code === 'string') return new ParlanceError({ code, detail, retryable, requestId: request_id, ...rest })
  } catch {
    // Not JSON.
  }
  const retryable = [429, 502, 503, 504].includes(status)
  const code = retryable ? 'unavailable' : 'internal_error'
  return new ParlanceError({ code, detail: `The response has the status ${status}.`, retryable, ...rest })
}

const connectionFailed = (cause: unknown) =>
  new ParlanceError({ code: 'connection_failed', detail: 'Parlance cannot be reached.', retryable: true, cause })

const maxWaitMs = 60_000

/** Runs `attempt` again after errors that are retryable. An error whose `Retry-After` is longer than a minute is thrown. */
export const withRetries = async <Value>(
  maxRetries: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Value>,
): Promise<Value> => {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof ParlanceError) || !error.retryable || retries >= maxRetries) throw error
      const waitMs = retryDelayMs(error, retries)
      if (waitMs > maxWaitMs) throw error
      await sleep(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
    }
  }
}

/** As the server says, else 0.25 to 0.5 s, twice as much after each attempt, and at most 8 s. */
export const retryDelayMs = ({ retryAfterSeconds }: ParlanceError, retries: number): number =>
  retryAfterSeconds === undefined
    ? Math.min(8_000, 500 * 2 ** retries) * (0.5 + Math.random() / 2)
    : retryAfterSeconds * 1000

export interface RequestContent {
  readonly query?: object | undefined
  /** JSON, or a form. */
  readonly body?: object | undefined
  readonly accept?: string | undefined
}

export type SendRequest = (
  method: string,
  path: string,
  content: RequestContent,
  options?: PostOptions & ChangeOptions,
) => Promise<Response>

export interface Requests {
  readonly send: SendRequest
  /** The body of the response as JSON; undefined where the response has no body. */
  sendJson<Result>(...request: Parameters<SendRequest>): Promise<Result>
  readonly maxRetries: number
}

const queryOf = (query: object): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}

/** Rejects with `timeout` when there is no response within this time. The body may take longer. */
const fetchWithin = async (timeoutMs: number, url: string, { signal, ...init }: RequestInit): Promise<Response> => {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  try {
    return await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal })
  } catch (cause) {
    signal?.throwIfAborted()
    if (!timeout.signal.aborted) throw connectionFailed(cause)
    throw new ParlanceError({ code: 'timeout', detail: `No response within ${timeoutMs} ms.`, retryable: true, cause })
  } finally {
    clearTimeout(timer)
  }
}

export const createRequests = (options: ParlanceOptions): Requests => {
  const { url, apiKey, maxRetries = 2, timeoutMs = 60_000 } = options

  const send: SendRequest = (method, path, { query = {}, body, accept }, { signal, idempotencyKey, ifMatch } = {}) => {
    const isForm = body instanceof FormData
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` }
    if (accept !== undefined) headers.accept = accept
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json'
    if (ifMatch !== undefined) headers['if-match'] = ifMatch
    if (method === 'POST') headers['idempotency-key'] = idempotencyKey ?? randomUUID()
    const init = {
      method,
      headers,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: signal ?? null,
    }
    return withRetries(maxRetries, signal, async () => {
      const response = await fetchWithin(timeoutMs, `${baseOf(url)}${path}${queryOf(query)}`, init)
      if (response.ok) return response
      throw errorOfResponse(response.status, await textOf(response, signal), response.headers.get('retry-after'))
    })
  }

  return {
    send,
    maxRetries,
    async sendJson<Result>(...request: Parameters<SendRequest>) {
      const text = await textOf(await send(...request), request[3]?.signal)
      return (text === '' ? undefined : JSON.parse(text)) as Result
    },
  }
}

export const baseOf = (url: string): string => url.replace(/\/+$/, '')

const textOf = (response: Response, signal: AbortSignal | undefined): Promise<string> =>
  response.text().catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw connectionFailed(cause)
  })

/** A list: awaited it is its first page, iterated it is all items of all pages. */
export interface List<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {}

export const createList = <Page extends { next_cursor: string | null }, Item>(
  readPage: (query: object) => Promise<Page>,
  query: object,
  itemsOf: (page: Page) => readonly Item[],
): List<Page, Item> => ({
  // biome-ignore lint/suspicious/noThenProperty: A list can be awaited.
  then: (onPage, onError) => readPage(query).then(onPage, onError),
  async *[Symbol.asyncIterator]() {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await readPage(cursor === undefined ? query : { ...query, cursor })
      yield* itemsOf(page)
      cursor = page.next_cursor
    }
  },
})
