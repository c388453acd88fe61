/** Why there is no token. `code` is that of the API, as far as the answer is one of the API. */
export class TokenError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`There is no session token: ${code}.`)
    this.code = code
  }
}

/**
 * Asks for a session token by POST: the page's own endpoint, or the API for an Agent that is public. Both answer with JSON that has
 * `token`. Rejects with `TokenError`.
 */
export const fetchSessionToken = async (url: string): Promise<string> => {
  const response = await fetch(url, { method: 'POST' })
  const body: { readonly token?: unknown; readonly code?: unknown } | null = await response.json().catch(() => null)
  if (response.ok && typeof body?.token === 'string') return body.token
  throw new TokenError(typeof body?.code === 'string' ? body.code : String(response.status))
}
