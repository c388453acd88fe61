import type { Role } from '@parlance/contracts'
import { cookieOf } from './fake-people.js'
import { workspaceId } from './fake-services.js'

/** The headers of a person who has this role in the workspace of the fakes, for a request about `workspace`. */
export const as = (role: Role, workspace = workspaceId) => ({
  cookie: cookieOf(role),
  'x-parlance-workspace': workspace,
})

/** Sends requests, with JSON where they have a body, to the gateway that is open when they are sent. */
export const sendTo =
  (gateway: () => { readonly url: string }) =>
  (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Response> =>
    fetch(`${gateway().url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
