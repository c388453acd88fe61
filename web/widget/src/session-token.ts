/** Why there is no token. `code` is that of the API, as far as the answer is one of the API. */
export class TokenError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`There is no session token: ${code}.`)
    this.code = code
  }
}

const parsed = (text: string): { readonly token?: unknown; readonly code?: unknown } | null => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Asks for a session token by POST: the API for an Agent that is public, or an endpoint of the page, which answers with the token
 * alone or with JSON that has `token`. Rejects with `TokenError`.
 */
export const fetchSessionToken = async (url: string): Promise<string> => {
  const response = await fetch(url, { method: 'POST' })
  const text = (await response.text()).trim()
  if (response.ok && text.startsWith('awst_')) return text
  const body = parsed(text)
  if (response.ok && typeof body?.token === 'string') return body.token
  throw new TokenError(typeof body?.code === 'string' ? body.code : String(response.status))
}
