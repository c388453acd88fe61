import type { EgressClient } from '@parlance/egress'
import { z } from 'zod'
import type { SearchEngine } from './search-engine.js'
import { requestSearch } from './search-engine.js'

interface SearxngOptions {
  readonly client: Pick<EgressClient, 'send'>
  /** The URL before `/search`, without a slash at its end. */
  readonly baseUrl: string
}

const text = z.string().nullish()
const answerSchema = z.object({ results: z.array(z.object({ title: text, url: text, content: text })) })

/** Any server with SearXNG's search API. Its configuration must allow the format `json`. */
export const createSearxngSearchEngine = ({ client, baseUrl }: SearxngOptions): SearchEngine => ({
  name: 'searxng',
  async search(query, { language, signal }) {
    const url = new URL(`${baseUrl}/search`)
    url.search = new URLSearchParams({ q: query, format: 'json', language }).toString()
    const { results } = await requestSearch({ client, url, headers: {}, schema: answerSchema, signal })
    return results.map(({ title, url, content }) => ({ title: title ?? '', url: url ?? '', snippet: content ?? '' }))
  },
})
