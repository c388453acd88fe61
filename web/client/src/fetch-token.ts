import { ParlanceError } from './parlance-error.js'

/** Resolves with a session token of the page's own backend. Rejects with `ParlanceError` `token_unavailable`. */
export const fetchToken = async (sessionToken: () => string | Promise<string>): Promise<string> => {
  let token: unknown
  try {
    token = await sessionToken()
  } catch (cause) {
    throw new ParlanceError('token_unavailable', 'sessionToken threw an error, so there is no token to connect with.', {
      retryable: true,
      cause,
    })
  }
  if (typeof token === 'string' && token !== '') return token
  throw new ParlanceError('token_unavailable', 'sessionToken must return the token as a string.')
}
