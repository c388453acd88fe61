import { type Agent, agentPageSchema, agentSchema } from '@parlance/contracts'
import { reasonOf, StartupError } from '@parlance/runtime/process'
import { z } from 'zod'

/** The public API, and a key of a workspace or a token. */
export interface ApiAccess {
  readonly url: string
  readonly apiKey: string
}

interface ApiRequest {
  /** Default: POST with a body, else GET. */
  readonly method?: string
  readonly body?: object
}

/** Rejects with `StartupError` unless the response is a success. */
export const callApi = async (
  { url, apiKey }: ApiAccess,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST' }: ApiRequest = {},
): Promise<Response> => {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: Error) => {
    throw new StartupError([`${url} cannot be reached: ${reasonOf(cause)}.`])
  })
  if (response.ok) return response
  const answer = z.object({ detail: z.string() }).safeParse(await response.json().catch(() => undefined))
  throw new StartupError([`${path} answers ${response.status}${answer.success ? `: ${answer.data.detail}` : '.'}`])
}

const uuid = z.uuid()

/** Finds an Agent by its id or slug. Rejects with `StartupError`. */
export const findAgent = async (api: ApiAccess, name: string): Promise<Agent> => {
  if (uuid.safeParse(name).success) return agentSchema.parse(await (await callApi(api, `/v1/agents/${name}`)).json())
  const found = await callApi(api, `/v1/agents?slug=${encodeURIComponent(name)}`)
  const [agent] = agentPageSchema.parse(await found.json()).agents
  if (agent === undefined) throw new StartupError([`There is no Agent ${name}.`])
  return agent
}
