/** Lists the models of providers, and of servers on this machine or in its network. */
import type { ModelList, ModelServers, RemoteLlmProvider, SealedModelProvider } from '@parlance/contracts'
import { z } from 'zod'
import { type Endpoint, remoteProviders } from './language-model-config.js'
import { createPooledFetch } from './pooled-fetch.js'
import { createProviderAccess, type ProviderAccessOptions } from './provider-models.js'

const listTimeoutMs = 10_000
/** Servers on this machine answer at once. A missing one must not delay the page. */
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

/** Models for other tasks, by parts of their names, and dated versions of models. */
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

/** A server of a known kind at an address without a path; undefined when none answers. */
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

interface ModelListsOptions extends ProviderAccessOptions {
  /** The providers that the environment sets up. */
  readonly endpoints: Readonly<Partial<Record<RemoteLlmProvider, Endpoint>>>
}

export type ModelLists = ReturnType<typeof createModelLists>

export const createModelLists = ({ endpoints, ...options }: ModelListsOptions) => {
  const access = createProviderAccess(options)
  const pooledFetch = createPooledFetch()
  return {
    /** Checks the key of a provider of a workspace, and lists its models. Rejects with `unavailable` when its key cannot be read here. */
    async listProvider(workspaceId: string, provider: SealedModelProvider): Promise<ModelList> {
      const { endpoint, fetch } = await access(workspaceId, provider)
      return listModels(fetch, provider.kind, endpoint)
    },
    /** Never rejects. */
    async findServers(): Promise<ModelServers> {
      const [found, configured] = await Promise.all([
        Promise.all(options.config.LLM_LOCAL_URLS.map((address) => findServer(pooledFetch, address))),
        Promise.all(
          Object.entries(endpoints).map(async ([name, endpoint]) => {
            const provider = name as RemoteLlmProvider
            const { models } = await listModels(pooledFetch, provider, endpoint)
            return { provider, models }
          }),
        ),
      ])
      return { found: found.filter((server) => server !== undefined), configured }
    },
  }
}
