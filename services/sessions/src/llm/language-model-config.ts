import { llmProviders, type RemoteLlmProvider } from '@parlance/contracts'
import { z } from 'zod'
import { commaSeparated } from '../variable-schemas.js'
import type { SdkModel } from './sdk-call.js'

const urlSchema = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const secretSchema = z.string().trim().min(1)
const isProvider = (name: string): boolean => llmProviders.some((provider) => provider === name)

/** `provider/model`; the model may have slashes of its own. */
const modelReferenceSchema = z.string().transform((text, context) => {
  const slash = text.indexOf('/')
  const provider = text.slice(0, slash)
  const model = text.slice(slash + 1)
  if (slash > 0 && isProvider(provider) && model !== '') return { provider, model }
  context.addIssue({
    code: 'custom',
    message: `It must be provider/model, the provider one of ${llmProviders.join(', ')}`,
  })
  return z.NEVER
})

export interface Endpoint {
  readonly url: string
  /** Required except for compatible servers. */
  readonly key?: string
}

interface SdkSettings {
  readonly baseURL: string
  /** Required except for compatible servers: without a key the SDK would read an environment variable of its own. */
  readonly apiKey?: string
  readonly fetch: typeof globalThis.fetch
}

interface RemoteProviderFacts {
  /** The prefix of its variables `…_API_KEY`, `…_API_KEY_FILE` and `…_URL`. */
  readonly prefix: string
  /** Whose key it is, for the description of the variable. */
  readonly keyOf: string
  /** The base URL of its API; undefined when each installation sets its own. */
  readonly defaultUrl: string | undefined
  readonly listPath: string
  readonly listHeaders: (key: string) => Record<string, string>
  /** The models by name. The SDK takes 0.2 s and 27 MB to load, so it is loaded only when a provider is used. */
  readonly load: (settings: SdkSettings) => Promise<(model: string) => SdkModel>
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

export const remoteProviders: Readonly<Record<RemoteLlmProvider, RemoteProviderFacts>> = {
  openai: {
    prefix: 'LLM_OPENAI',
    keyOf: 'OpenAI',
    defaultUrl: 'https://api.openai.com/v1',
    listPath: '/models',
    listHeaders: bearer,
    // Chat completions, which other servers with OpenAI's interface implement too.
    load: async (settings) => (await import('@ai-sdk/openai')).createOpenAI(settings).chat,
  },
  anthropic: {
    prefix: 'LLM_ANTHROPIC',
    keyOf: 'Anthropic',
    defaultUrl: 'https://api.anthropic.com/v1',
    listPath: '/models?limit=1000',
    listHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    load: async (settings) => (await import('@ai-sdk/anthropic')).createAnthropic(settings).languageModel,
  },
  /** Any server with OpenAI's chat completions (vLLM, Ollama, llama.cpp). It may have no key. */
  openai_compatible: {
    prefix: 'LLM_COMPATIBLE',
    keyOf: 'that server',
    defaultUrl: undefined,
    listPath: '/models',
    listHeaders: bearer,
    load: async (settings) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...settings, name: 'compatible', includeUsage: true }).chatModel
    },
  },
}

/** Each key may be in a file instead. */
const providerVariables = Object.fromEntries(
  Object.values(remoteProviders).flatMap(({ prefix, keyOf, defaultUrl }) => [
    [`${prefix}_API_KEY`, secretSchema.optional().describe(`the key of ${keyOf}`)],
    [`${prefix}_API_KEY_FILE`, z.string().optional().describe(`a file with the key of ${keyOf}`)],
    [
      `${prefix}_URL`,
      defaultUrl === undefined
        ? urlSchema
            .optional()
            .describe('the address of a server with OpenAI’s chat completions, such as "http://localhost:11434/v1"')
        : urlSchema.default(defaultUrl).describe(`the address of the API of ${keyOf}, or of a proxy in front of it`),
    ],
  ]),
) as Record<string, z.ZodType<string | undefined>>

/** The environment variables of language models, as fields of a service's `env`. */
export const languageModelEnv = {
  ...providerVariables,
  /** Ollama, LM Studio, llama.cpp and vLLM are recognized. Workspaces may call these addresses, even in private networks. */
  LLM_LOCAL_URLS: z
    .string()
    .default('')
    .transform((list) => commaSeparated(list).map((url) => url.replace(/\/+$/, '')))
    .refine((list) => list.every((url) => z.url({ protocol: /^https?$/ }).safeParse(url).success), {
      error: 'Each must be an address such as http://localhost:11434.',
    })
    .describe(
      'the addresses of model servers that are offered by name where they answer, such as "http://ollama:11434", by commas; npm start looks at the usual ports of this machine',
    ),
  /** Replies when the Agent's own model fails before its first text. */
  LLM_FALLBACK: modelReferenceSchema.optional().describe('a model such as "openai/gpt-4o-mini"'),
}

const { LLM_LOCAL_URLS, LLM_FALLBACK } = languageModelEnv
const schema = z.object({ LLM_LOCAL_URLS, LLM_FALLBACK })
/** With the variables of `remoteProviders`. */
export type LanguageModelConfig = z.infer<typeof schema> & Readonly<Record<string, unknown>>
export type ProviderAddresses = Pick<z.infer<typeof schema>, 'LLM_LOCAL_URLS'> & Readonly<Record<string, unknown>>

/** The address of the installation for a provider; undefined for a compatible server that is not set up. */
export const urlOf = (config: Readonly<Record<string, unknown>>, provider: RemoteLlmProvider): string | undefined =>
  config[`${remoteProviders[provider].prefix}_URL`] as string | undefined
