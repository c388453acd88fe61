/** The kinds of model providers, in words. Written by `npm run generate` from the contracts. */
export const kindNames = {
  "openai": "OpenAI",
  "anthropic": "Anthropic",
  "openai_compatible": "OpenAI-compatible server"
} as const
