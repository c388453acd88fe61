/** The path of the WebSocket of a conversation, in Express's notation. */
export const sessionSocketPath = '/v1/agents/:agentId/sessions/:sessionId/stream'

export interface SessionSocketAddress {
  readonly agentId: string
  readonly sessionId: string
}

export const sessionSocketPathOf = ({ agentId, sessionId }: SessionSocketAddress): string =>
  `/v1/agents/${agentId}/sessions/${sessionId}/stream`

/** Undefined for any other path. */
export const sessionSocketAddressOf = (path: string): SessionSocketAddress | undefined => {
  const [, agentId, sessionId] = /^\/v1\/agents\/([^/]+)\/sessions\/([^/]+)\/stream$/.exec(path) ?? []
  return agentId === undefined || sessionId === undefined ? undefined : { agentId, sessionId }
}
