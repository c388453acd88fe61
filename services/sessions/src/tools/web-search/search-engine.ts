/** Searches the web. Adapters: `searxng-search-engine.ts` and `brave-search-engine.ts`. One serves many conversations. */
export interface SearchEngine {
  readonly name: string
  /** Best first. Rejects with `SearchFailure`, or with the signal's reason. */
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>
}

export interface SearchOptions {
  /** A BCP 47 tag of what the user speaks. */
  readonly language: string
  readonly signal: AbortSignal
}

/** As the engine gave it: text of strangers. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  /** May hold HTML. */
  readonly snippet: string
}

export type SearchProblem = 'busy' | 'unreachable' | 'timeout' | 'bad_answer'

/** Says nothing of the query or the answer. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure'
  readonly problem: SearchProblem

  constructor(problem: SearchProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}
