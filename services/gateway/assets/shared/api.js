/** An error of a response or a socket. */
export class ApiError extends Error {
  constructor({ code = 'unavailable', detail = 'The server could not be reached.' }) {
    super(detail)
    this.code = code
  }
}

/** Calls the API with a key or a token. Sends `body` as JSON. Resolves to the body of the response, or undefined when it is empty. */
export const call = async (bearer, path, { method = 'GET', body, signal } = {}) => {
  const headers = { authorization: `Bearer ${bearer}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  let response
  try {
    response = await fetch(path, { method, headers, signal, body: body && JSON.stringify(body) })
  } catch {
    throw new ApiError({})
  }
  const answer = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiError(answer ?? {})
  return answer
}

/** Everything on all pages of a list; `name` is the field that the items are under. */
export const listAll = async (key, path, name) => {
  const items = []
  let cursor = ''
  do {
    const page = await call(key, `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    items.push(...page[name])
    cursor = page.next_cursor ?? ''
  } while (cursor !== '')
  return items
}

/** The best first. */
export const listVoices = (key) => listAll(key, '/v1/voices', 'voices')

/** The best voice that speaks the first of these languages that any voice speaks, or undefined. */
export const findVoice = async (key, languages) => {
  for (const language of languages) {
    const { voices } = await call(key, `/v1/voices?language=${encodeURIComponent(language)}`)
    const voice = voices.find(({ status }) => status === 'available')
    if (voice !== undefined) return voice
  }
  return undefined
}

/** A token for one stream of speech. */
export const mintStreamToken = async (key) => (await call(key, '/v1/tts/stream-tokens', { method: 'POST' })).token
