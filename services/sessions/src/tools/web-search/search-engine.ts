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
