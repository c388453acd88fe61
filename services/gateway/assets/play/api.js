/** What an answer or a socket told that went wrong. */
export class ApiError extends Error {
  constructor({ code = 'unavailable', detail = 'The server could not be reached.' }) {
    super(detail)
    this.code = code
  }
}

const call = async (key, path, options = {}) => {
  let response
  try {
    response = await fetch(path, { ...options, headers: { authorization: `Bearer ${key}` } })
  } catch {
    throw new ApiError({})
  }
  const body = await response.json().catch(() => ({}))
  if (!response.ok) throw new ApiError(body)
  return body
}

/** Every voice there is, of all pages of the list. */
export const listVoices = async (key) => {
  const voices = []
  let cursor = ''
  do {
    const page = await call(key, `/v1/voices?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    voices.push(...page.voices)
    cursor = page.next_cursor ?? ''
  } while (cursor !== '')
  return voices
}

/** A token for one connection. */
export const mintStreamToken = async (key) => (await call(key, '/v1/tts/stream-tokens', { method: 'POST' })).token
