import { llmProviders } from '@parlance/contracts'
import { z } from 'zod'

export type LlmProvider = (typeof llmProviders)[number]

const urlSchema = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const urlDescription = 'an address such as "http://localhost:11434/v1"'
const secretSchema = z.string().trim().min(1)
const isProvider = (name: string): name is LlmProvider => llmProviders.some((provider) => provider === name)

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

/**
 * The environment variables of language models, as fields of a service's `env`. A provider is set up by its key, the
 * compatible one by its URL. Each key may be in a file instead.
 */
export const languageModelEnv = {
  LLM_OPENAI_API_KEY: secretSchema.optional().describe('the key of OpenAI'),
  LLM_OPENAI_API_KEY_FILE: z.string().optional().describe('a file with the key of OpenAI'),
  /** The URL before `/chat/completions`. */
  LLM_OPENAI_URL: urlSchema.default('https://api.openai.com/v1').describe(urlDescription),
  LLM_ANTHROPIC_API_KEY: secretSchema.optional().describe('the key of Anthropic'),
  LLM_ANTHROPIC_API_KEY_FILE: z.string().optional().describe('a file with the key of Anthropic'),
  /** The URL before `/messages`. */
  LLM_ANTHROPIC_URL: urlSchema.default('https://api.anthropic.com/v1').describe(urlDescription),
  /** Any server with OpenAI's chat completions (vLLM, Ollama, llama.cpp): the URL before `/chat/completions`. */
  LLM_COMPATIBLE_URL: urlSchema.optional().describe(urlDescription),
  /** Omitted for a server without authentication. */
  LLM_COMPATIBLE_API_KEY: secretSchema.optional().describe('the key of that server'),
  LLM_COMPATIBLE_API_KEY_FILE: z.string().optional().describe('a file with the key of that server'),
  /** Ollama, LM Studio, llama.cpp and vLLM are recognized. Workspaces may call these addresses, even in private networks. */
  LLM_LOCAL_URLS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((url) => url.trim().replace(/\/+$/, ''))
        .filter((url) => url !== ''),
    )
    .refine((list) => list.every((url) => z.url({ protocol: /^https?$/ }).safeParse(url).success), {
      error: 'Each must be an address such as http://localhost:11434.',
    })
    .describe(
      'the addresses of model servers that are offered by name where they answer, such as "http://ollama:11434", by commas; npm start looks at the usual ports of this machine',
    ),
  /** Replies when the Agent's own model fails before its first text. */
  LLM_FALLBACK: modelReferenceSchema.optional().describe('a model such as "openai/gpt-4o-mini"'),
}

const schema = z.object(languageModelEnv)
export type LanguageModelConfig = z.infer<typeof schema>
export type KeyVariable = 'LLM_OPENAI_API_KEY' | 'LLM_ANTHROPIC_API_KEY' | 'LLM_COMPATIBLE_API_KEY'
