import { agentId } from './fake-agents.js'
import type { OpenGateway } from './open-gateway.js'

export const sessionsPath = `/v1/agents/${agentId}/sessions`

/** Calls of a client with a session token against a gateway. */
export const sessionCalls = (gateway: () => OpenGateway) => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const start = (body: unknown = { transport: 'websocket' }, headers: Record<string, string> = {}) =>
    gateway().post(sessionsPath, body, { headers: { ...bearer('awst_good'), ...headers } })
  return {
    start,
    async started(body?: unknown) {
      const response = await start(body)
      expect(response.status).toBe(201)
      return (await response.json()) as Record<string, string> & { session_id: string; websocket_url: string }
    },
    call: (method: string, path: string, body?: unknown, token = 'awst_good') =>
      fetch(`${gateway().url}${path}`, {
        method,
        headers: { ...bearer(token), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
