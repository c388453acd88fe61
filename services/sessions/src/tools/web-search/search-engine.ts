import { retry } from '@parlance/async'
import { type EgressClient, EgressError, type EgressResponse } from '@parlance/egress'
import type { z } from 'zod'

/** Searches the web. Adapters: `searxng-search-engine.ts`, `brave-search-engine.ts`. One engine serves many conversations. */
export interface SearchEngine {
  readonly name: string
  /** Best first. Rejects with `SearchFailure`, or with the signal's reason. */
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>
}

export interface SearchOptions {
  /** The BCP 47 tag of the user's language. */
  readonly language: string
  readonly signal: AbortSignal
}

/** One result as the engine returned it: untrusted text. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  /** May contain HTML. */
  readonly snippet: string
}

export type SearchProblem = 'busy' | 'unreachable' | 'timeout' | 'bad_answer'

/** The message quotes neither the query nor the response. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure'
  readonly problem: SearchProblem

  constructor(problem: SearchProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

interface SearchRequest<Schema extends z.ZodType> {
  readonly client: Pick<EgressClient, 'send'>
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The schema of the response. */
  readonly schema: Schema
  readonly signal: AbortSignal
}

/** The user waits for the result in the middle of a conversation. */
const timeoutMs = 5_000
const maxBytes = 2 * 1024 * 1024

const parseJson = ({ text, mediaType }: EgressResponse): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SearchFailure('bad_answer', `The response is not JSON (${mediaType || 'no type'}).`, { cause })
  }
}

/** Requests JSON. A search changes nothing, so it is sent again when a persistent connection turns out to be broken. */
export const requestSearch = async <Schema extends z.ZodType>(
  request: SearchRequest<Schema>,
): Promise<z.output<Schema>> => {
  const { client, url, headers, schema, signal } = request
  const send = () =>
    client.send({
      method: 'GET',
      url: url.href,
      timeoutMs,
      maxBytes,
      signal,
      headers: { accept: 'application/json', 'user-agent': 'Parlance', ...headers },
    })
  const answer = await retry(send, {
    maxAttempts: 2,
    backoff: { firstMs: 0, maxMs: 0 },
    signal,
    shouldRetry: (error) => error instanceof EgressError && error.problem === 'broken',
  }).catch((error: unknown) => {
    if (!(error instanceof EgressError)) throw error
    const problem = error.problem === 'timeout' ? 'timeout' : 'unreachable'
    throw new SearchFailure(problem, error.message, { cause: error })
  })
  const { status } = answer
  if (status === 429) throw new SearchFailure('busy', 'Too many searches.')
  if (status !== 200) throw new SearchFailure('bad_answer', `The response has status ${status}.`)
  const parsed = schema.safeParse(parseJson(answer))
  if (!parsed.success) throw new SearchFailure('bad_answer', 'The response does not follow the protocol.')
  return parsed.data
}
