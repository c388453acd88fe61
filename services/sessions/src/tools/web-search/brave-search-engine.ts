import type { EgressClient } from '@parlance/egress'
import { z } from 'zod'
import type { SearchEngine } from './search-engine.js'
import { requestSearch } from './search-request.js'

export interface BraveOptions {
  readonly client: Pick<EgressClient, 'send'>
  /** What stands before `/web/search`, without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How many results to ask for. */
  readonly count: number
}

/** What one query may be, in Brave's words. */
const most = { characters: 400, words: 50 }

const text = z.string().nullish()
/** Without `web` where nothing was found. */
const answerSchema = z.object({
  web: z.object({ results: z.array(z.object({ title: text, url: text, description: text })) }).nullish(),
})

export const createBraveSearchEngine = ({ client, baseUrl, apiKey, count }: BraveOptions): SearchEngine => ({
  name: 'brave',
  // Languages are left to Brave, which sees them in the query: of tags it knows a list of its own and refuses all others.
  async search(query, { signal }) {
    const url = new URL(`${baseUrl}/web/search`)
    const q = query.split(/\s+/).slice(0, most.words).join(' ').slice(0, most.characters).toWellFormed()
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
