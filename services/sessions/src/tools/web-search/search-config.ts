import { z } from 'zod'

/** A scheme, a host and a path. Credentials would appear in logs, and a query would be lost. */
const baseUrlSchema = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((url) => {
    const { username, password, search, hash } = new URL(url)
    return [username, password, search, hash].every((part) => part === '')
  }, 'only a scheme, a host and a path')
  .transform((url) => url.replace(/\/+$/, ''))

/** The variables of web search; spread into the service's `env`. Without them there is no web search. */
export const searchVariables = {
  SEARCH_SEARXNG_URL: baseUrlSchema.optional().describe('an address such as "http://searxng:8080"'),
  SEARCH_BRAVE_API_KEY: z.string().trim().min(1).optional().describe('the key of Brave Search'),
  SEARCH_BRAVE_API_KEY_FILE: z.string().min(1).optional().describe('a file with the key of Brave Search'),
  SEARCH_BRAVE_URL: baseUrlSchema
    .default('https://api.search.brave.com/res/v1')
    .describe('the address of Brave Search'),
}

const schema = z.object(searchVariables)
export type SearchConfig = z.output<typeof schema>
