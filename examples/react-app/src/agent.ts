/** The answer of the backend. */
export interface Agent {
  readonly agentId: string
  readonly name: string
  readonly apiOrigin: string
}

/** Resolves to undefined when the backend cannot be reached. */
export const findAgent = async (): Promise<Agent | undefined> => {
  const response = await fetch('/agent').catch(() => undefined)
  return response?.ok ? response.json() : undefined
}

/** Fetches a new token for each conversation. The key that mints it never leaves the backend. */
export const fetchSessionToken = async (): Promise<string> => {
  const response = await fetch('/session-token', { method: 'POST' })
  const { token, error } = await response.json()
  if (!response.ok) throw new Error(error)
  return token
}
