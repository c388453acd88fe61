import type { Avatar, Feedback } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'

/** Resolves with a token of the page's own backend. Rejects with `ParlanceError` `token_unavailable`. */
export const fetchToken = async (name: string, tokenOf: () => string | Promise<string>): Promise<string> => {
  let token: unknown
  try {
    token = await tokenOf()
  } catch (cause) {
    throw new ParlanceError('token_unavailable', `${name} threw an error, so there is no token to connect with.`, {
      retryable: true,
      cause,
    })
  }
  if (typeof token === 'string' && token !== '') return token
  throw new ParlanceError('token_unavailable', `${name} must return the token as a string.`)
}

/** An answer to an SDP offer. */
export interface SessionDescription {
  readonly type: 'answer'
  readonly sdp: string
}

/** The response of `POST /v1/agents/{agentId}/sessions`. */
export interface StartedSession {
  readonly session_id: string
  readonly agent_id: string
  readonly publication: { readonly id: string; readonly version: number }
  readonly sdp?: SessionDescription
  readonly websocket_url?: string
  /** With credentials that are valid until the session ends. */
  readonly ice_servers: RTCIceServer[]
  readonly max_duration_seconds: number
  readonly avatar: Avatar | null
}

/** The HTTP requests of one session, with its token. All reject with a `ParlanceError`. */
export interface SessionApi {
  iceServers(signal: AbortSignal): Promise<RTCIceServer[]>
  start(body: object): Promise<StartedSession>
  /** Resolves to the answer to the SDP offer of another connection. */
  restart(sessionId: string, offer: string, signal: AbortSignal): Promise<SessionDescription>
  giveFeedback(sessionId: string, feedback: Feedback): Promise<void>
  /** Also works while the user leaves the page. Never rejects. */
  hangUp(sessionId: string): Promise<void>
}

export interface SessionApiOptions {
  readonly origin: string
  readonly agentId: string
  readonly token: string
  readonly fetch: typeof fetch
  readonly traceparent: () => string | undefined
}

/** The limit of a request. The service gives up starting a session after 15 s. */
const answerLimitMs = 20_000

export const createSessionApi = ({ origin, agentId, token, fetch, traceparent }: SessionApiOptions): SessionApi => {
  const call = async (path: string, init: RequestInit, signal?: AbortSignal): Promise<unknown> => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), answerLimitMs)
    const giveUp = () => timeout.abort()
    signal?.addEventListener('abort', giveUp)
    try {
      const parent = traceparent()
      const response = await fetch(`${origin}${path}`, {
        ...init,
        signal: timeout.signal,
        headers: {
          authorization: `Bearer ${token}`,
          ...(init.body == null ? {} : { 'content-type': 'application/json' }),
          ...(parent === undefined ? {} : { traceparent: parent }),
        },
      })
      const text = await response.text()
      if (!response.ok) throw errorOf(response, text)
      return text === '' ? undefined : parse(text)
    } catch (cause) {
      if (cause instanceof ParlanceError) throw cause
      throw new ParlanceError('network_error', `The service at ${origin} does not respond.`, { retryable: true, cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }

  const sessions = `/v1/agents/${agentId}/sessions`
  return {
    async iceServers(signal) {
      const answer = (await call('/v1/ice-servers', {}, signal)) as { ice_servers?: RTCIceServer[] } | undefined
      return answer?.ice_servers ?? []
    },
    async start(body) {
      const answer = (await call(sessions, { method: 'POST', body: JSON.stringify(body) })) as
        | StartedSession
        | undefined
      if (typeof answer?.session_id !== 'string') throw unexpected()
      return answer
    },
    async restart(sessionId, sdp, signal) {
      const body = JSON.stringify({ sdp: { type: 'offer', sdp } })
      const answer = await call(`${sessions}/${sessionId}`, { method: 'PATCH', body }, signal)
      const description = (answer as { sdp?: SessionDescription } | undefined)?.sdp
      if (description === undefined) throw unexpected()
      return description
    },
    async giveFeedback(sessionId, feedback) {
      await call(`/v1/agent-sessions/${sessionId}/feedback`, { method: 'POST', body: JSON.stringify(feedback) })
    },
    async hangUp(sessionId) {
      await call(`${sessions}/${sessionId}`, { method: 'DELETE', keepalive: true }).catch(() => {})
    },
  }
}

const unexpected = (cause?: unknown): ParlanceError =>
  new ParlanceError('unexpected_answer', 'This is not a response of the service: check apiOrigin.', { cause })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unexpected(cause)
  }
}

const errorOf = (response: Response, text: string): ParlanceError => {
  const body = parse(text) as Partial<{ code: string; detail: string; retryable: boolean; request_id: string }> | null
  if (typeof body?.code !== 'string') return unexpected(new Error(`HTTP ${response.status}`))
  return new ParlanceError(body.code, body.detail ?? body.code, {
    retryable: body.retryable === true,
    requestId: body.request_id,
  })
}
