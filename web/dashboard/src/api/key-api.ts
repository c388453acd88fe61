import createFetchClient from 'openapi-fetch'
import { type Api, throwProblem } from './api.js'
import type { paths } from './schema.js'

/** The route for keys that corresponds to a route for members: its path without the prefix. */
class PublicRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(String(input).replace(/\/dashboard\/api\/(?=v1\/|try\/)/, '/'), init)
  }
}

/** Calls the public API with a key, and without the cookies of a person. It is called and fails as `fetchApi` does. */
export const createKeyApi = (key: string): Api => {
  const api = createFetchClient<paths>({
    baseUrl: location.origin,
    headers: { authorization: `Bearer ${key}` },
    credentials: 'omit',
    Request: PublicRequest,
  })
  api.use(throwProblem)
  return api
}
