/** Calls of the dashboard's API. The types are generated from its OpenAPI document: `npm run generate`. */
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
export const throwProblem: Middleware = {
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
