import { ParlanceError } from './parlance-error.js'

/** A session token of the page's own backend. Rejects with a `ParlanceError` that has what was thrown as its cause. */
export const takeToken = async (sessionToken: () => string | Promise<string>): Promise<string> => {
  let token: unknown
  try {
    token = await sessionToken()
  } catch (cause) {
    throw new ParlanceError('token_unavailable', 'sessionToken has thrown, so there is no token to connect with.', {
      retryable: true,
      cause,
    })
  }
  if (typeof token === 'string' && token !== '') return token
  throw new ParlanceError('token_unavailable', 'sessionToken must return the token as a string.')
}
