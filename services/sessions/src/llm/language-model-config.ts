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
 * The environment variables that language models are reached by, as fields of a service's `env`. A provider with neither key
 * nor, for the compatible one, a URL is not set up. Each key may stand in a file in place of the variable.
 */
export const languageModelEnv = {
  LLM_OPENAI_API_KEY: secretSchema.optional(),
  LLM_OPENAI_API_KEY_FILE: z.string().optional(),
  /** What stands before `/chat/completions`. */
  LLM_OPENAI_URL: urlSchema.default('https://api.openai.com/v1').describe(urlDescription),
  LLM_ANTHROPIC_API_KEY: secretSchema.optional(),
  LLM_ANTHROPIC_API_KEY_FILE: z.string().optional(),
  /** What stands before `/messages`. */
  LLM_ANTHROPIC_URL: urlSchema.default('https://api.anthropic.com/v1').describe(urlDescription),
  /** Any server with OpenAI's chat completions (vLLM, Ollama, llama.cpp): what stands before `/chat/completions`. */
  LLM_COMPATIBLE_URL: urlSchema.optional().describe(urlDescription),
  /** Left out for a server that asks for none. */
  LLM_COMPATIBLE_API_KEY: secretSchema.optional(),
  LLM_COMPATIBLE_API_KEY_FILE: z.string().optional(),
  /** Speaks where the model that an Agent asks for fails before its first word. */
  LLM_FALLBACK: modelReferenceSchema.optional().describe('a model such as "openai/gpt-4o-mini"'),
}

const schema = z.object(languageModelEnv)
export type LanguageModelConfig = z.infer<typeof schema>
export type KeyVariable = 'LLM_OPENAI_API_KEY' | 'LLM_ANTHROPIC_API_KEY' | 'LLM_COMPATIBLE_API_KEY'
