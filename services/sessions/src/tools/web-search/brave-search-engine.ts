import type { EgressClient } from '@parlance/egress'
import { z } from 'zod'
import type { SearchEngine } from './search-engine.js'
import { requestSearch } from './search-engine.js'

interface BraveOptions {
  readonly client: Pick<EgressClient, 'send'>
  /** The URL before `/web/search`, without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How many results to ask for. */
  readonly count: number
}

/** Limits of Brave for one query. */
const maxCharacters = 400
const maxWords = 50

const text = z.string().nullish()
/** `web` is missing when nothing was found. */
const answerSchema = z.object({
  web: z.object({ results: z.array(z.object({ title: text, url: text, description: text })) }).nullish(),
})

export const createBraveSearchEngine = ({ client, baseUrl, apiKey, count }: BraveOptions): SearchEngine => ({
  name: 'brave',
  // Brave recognizes the language from the query. It refuses tags that are not on a list of its own, so none is sent.
  async search(query, { signal }) {
    const url = new URL(`${baseUrl}/web/search`)
    const q = query.split(/\s+/).slice(0, maxWords).join(' ').slice(0, maxCharacters).toWellFormed()
    url.search = new URLSearchParams({ q, count: String(count), text_decorations: 'false' }).toString()
    const headers = { 'x-subscription-token': apiKey }
    const { web } = await requestSearch({ client, url, headers, schema: answerSchema, signal })
    return (web?.results ?? []).map(({ title, url, description }) => ({
      title: title ?? '',
      url: url ?? '',
      snippet: description ?? '',
    }))
  },
})
