/** Which models there are: those of a provider, and those of servers on this machine or in its network. */
import type { ModelKeys } from '@parlance/clients/model-keys'
import type { ModelList, ModelServers, RemoteLlmProvider, SealedModelProvider } from '@parlance/contracts'
import { type AllowedPlaces, createEgressGuard } from '@parlance/egress'
import { z } from 'zod'
import { type ProviderAddresses, remoteProviders, urlOf } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'
import type { Endpoint } from './remote-provider.js'

const listTimeoutMs = 10_000
/** Servers on this machine answer at once. One that is missing must not delay the page. */
const findTimeoutMs = 1_500

/** OpenAI's list, which compatible servers have too, and Anthropic's. */
const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      owned_by: z.string().optional(),
      /** Seconds since 1970, and Anthropic's form. */
      created: z.number().optional(),
      created_at: z.string().optional(),
    }),
  ),
})
type ListedModel = z.output<typeof listSchema>['data'][number]

/** Ollama's own list. It names the family of a model: those that only embed text are of the family of BERT. */
const ollamaSchema = z.object({
  models: z.array(
    z.object({ name: z.string().min(1), details: z.object({ family: z.string().optional() }).optional() }),
  ),
})

/** LM Studio's own list. */
const lmStudioSchema = z.object({ data: z.array(z.object({ id: z.string().min(1), type: z.string() })) })

/** Models of other tasks, by the names that providers give them, and models that are named by the day on which they were made. */
const notForConversations =
  /embed|whisper|tts|dall-e|moderation|audio|realtime|transcribe|image|sora|codex|instruct|search|babbage|davinci|-\d{4}-\d\d-\d\d$/i
/** Smaller models of large providers begin to answer sooner, which counts most in a conversation. */
const isQuick = ({ id }: ListedModel) => /mini|haiku/i.test(id)
const createdMs = ({ created = 0, created_at }: ListedModel) =>
  created_at === undefined ? created * 1_000 : Date.parse(created_at)

/** The models with which an Agent can talk, the most suitable first. Those of compatible servers keep their order. */
const suitable = (kind: RemoteLlmProvider, models: readonly ListedModel[]): string[] => {
  const able = models.filter(({ id }) => !notForConversations.test(id))
  if (kind === 'openai_compatible') return (able.length === 0 ? models : able).map(({ id }) => id)
  return able.sort((a, b) => Number(isQuick(b)) - Number(isQuick(a)) || createdMs(b) - createdMs(a)).map(({ id }) => id)
}

type Fetch = typeof globalThis.fetch

const read = async <T>(fetch: Fetch, url: string, schema: z.ZodType<T>): Promise<T | undefined> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(findTimeoutMs) })
    return response.ok ? schema.safeParse(await response.json()).data : undefined
  } catch {
    return undefined
  }
}

const nameOf = (models: readonly ListedModel[]): string => {
  const owner = models[0]?.owned_by
  if (owner === 'llamacpp') return 'llama.cpp'
  return owner === 'vllm' ? 'vLLM' : 'Model server'
}

/** A server of one of the usual kinds at an address without a path; undefined where none answers. */
const findServer = async (fetch: Fetch, address: string): Promise<ModelServers['found'][number] | undefined> => {
  const [ollama, lmStudio, listed] = await Promise.all([
    read(fetch, `${address}/api/tags`, ollamaSchema),
    read(fetch, `${address}/api/v0/models`, lmStudioSchema),
    read(fetch, `${address}/v1/models`, listSchema),
  ])
  const url = `${address}/v1`
  if (ollama !== undefined) {
    const models = ollama.models.filter(({ details }) => !/bert/.test(details?.family ?? '')).map(({ name }) => name)
    return { name: 'Ollama', url, models }
  }
  if (lmStudio !== undefined) {
    return {
      name: 'LM Studio',
      url,
      models: lmStudio.data.filter(({ type }) => type !== 'embeddings').map(({ id }) => id),
    }
  }
  if (listed === undefined) return undefined
  return { name: nameOf(listed.data), url, models: suitable('openai_compatible', listed.data) }
}

const failed = (detail: string): ModelList => ({ ok: false, detail, models: [] })

/** Never rejects. A compatible server without a list of its models is no failure. */
const listModels = async (fetch: Fetch, kind: RemoteLlmProvider, { url, key }: Endpoint): Promise<ModelList> => {
  try {
    const { listPath, listHeaders } = remoteProviders[kind]
    const response = await fetch(`${url}${listPath}`, {
      headers: key === undefined ? {} : listHeaders(key),
      signal: AbortSignal.timeout(listTimeoutMs),
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status === 401 || response.status === 403) {
      return failed(
        key === undefined
          ? `The server asks for a key (status ${response.status}).`
          : `The key was refused (status ${response.status}).`,
      )
    }
    if (response.status >= 500 || response.status === 429)
      return failed(`The server answered with status ${response.status}.`)
    const listed = response.ok ? listSchema.safeParse(body).data : undefined
    return { ok: true, detail: '', models: listed === undefined ? [] : suitable(kind, listed.data) }
  } catch {
    return failed('The server cannot be reached, or is in a network that the operator does not allow.')
  }
}

export interface ModelLists {
  /** Checks the key of a provider of a workspace, and lists its models. Rejects with `unavailable` when its key cannot be read here. */
  listProvider(workspaceId: string, provider: SealedModelProvider): Promise<ModelList>
  /** Never rejects. */
  findServers(): Promise<ModelServers>
}

export interface ModelListsOptions {
  readonly config: ProviderAddresses
  /** What the environment sets up. */
  readonly endpoints: Readonly<Partial<Record<RemoteLlmProvider, Endpoint>>>
  readonly keys: Pick<ModelKeys, 'open'>
  readonly allow: AllowedPlaces
  readonly ports: readonly number[] | undefined
}

/** Whether a provider of a workspace is one of the servers that the operator offers to all of them. */
export const isLocalServer = ({ LLM_LOCAL_URLS }: ModelListsOptions['config'], url: string): boolean =>
  URL.canParse(url) && LLM_LOCAL_URLS.some((address) => new URL(address).origin === new URL(url).origin)

export const createModelLists = ({ config, endpoints, keys, allow, ports }: ModelListsOptions): ModelLists => {
  const [fetch, guardedFetch] = [createPooledFetch(), createPooledFetch(createEgressGuard({ allow, ports }))]
  return {
    async listProvider(workspaceId, { id, kind, url, sealed_key }) {
      const key = sealed_key === null ? {} : { key: await keys.open({ workspaceId, providerId: id }, sealed_key) }
      if (kind !== 'openai_compatible') return listModels(fetch, kind, { url: urlOf(config, kind) ?? '', ...key })
      const address = (url ?? '').replace(/\/+$/, '')
      return listModels(isLocalServer(config, address) ? fetch : guardedFetch, kind, { url: address, ...key })
    },
    async findServers() {
      const configured = Object.entries(endpoints).map(([name, endpoint]) => ({
        provider: name as RemoteLlmProvider,
        endpoint,
      }))
      const [found, lists] = await Promise.all([
        Promise.all(config.LLM_LOCAL_URLS.map((address) => findServer(fetch, address))),
        Promise.all(
          configured.map(async ({ provider, endpoint }) => {
            const { models } = await listModels(fetch, provider, endpoint)
            return { provider, models }
          }),
        ),
      ])
      return { found: found.filter((server) => server !== undefined), configured: lists }
    },
  }
}
