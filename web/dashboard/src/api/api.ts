/** Calls of the dashboard's API. The types are generated from its OpenAPI document: `npm run generate`. */
import { useQueryClient } from '@tanstack/react-query'
import createFetchClient, { type Middleware } from 'openapi-fetch'
import createQueryClient from 'openapi-react-query'
import { currentWorkspaceId } from '../session/current-workspace.js'
import type { paths } from './schema.js'

const nameWorkspace: Middleware = {
  onRequest({ request }) {
    const id = currentWorkspaceId()
    if (id !== undefined) request.headers.set('x-parlance-workspace', id)
  },
}

/** Throws the body of an error response. */
const throwProblem: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await response.json()
  },
}

/** Calls without a cache. They reject with the body of the error, or with the error of `fetch`. */
export const fetchApi = createFetchClient<paths>({ baseUrl: location.origin })
fetchApi.use(nameWorkspace, throwProblem)

export type Api = typeof fetchApi

/** Hooks: `api.useQuery('get', path, …)` and `api.useMutation('post', path)`. They fail as `fetchApi` does. */
export const api = createQueryClient(fetchApi)

/** Returns a function that loads again what was read from these paths. */
export const useReload = (...read: readonly (keyof paths)[]) => {
  const client = useQueryClient()
  return () => Promise.all(read.map((path) => client.invalidateQueries({ queryKey: ['get', path] })))
}

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
