import { type EgressClient, EgressError, type EgressResponse } from '@parlance/egress'
import type { z } from 'zod'
import { SearchFailure } from './search-engine.js'

export interface SearchRequest<Schema extends z.ZodType> {
  readonly client: Pick<EgressClient, 'send'>
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Of the answer. */
  readonly schema: Schema
  readonly signal: AbortSignal
}

/** People wait for it in the middle of a talk. */
const timeoutMs = 5_000
const maxBytes = 2 * 1024 * 1024

const parseJson = ({ text, mediaType }: EgressResponse): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SearchFailure('bad_answer', `It answered with what is no JSON (${mediaType || 'no type'}).`, { cause })
  }
}

/** Asks for JSON. Nothing is changed by a search, so one is asked for again where a kept connection turns out to be broken. */
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
  const answer = await send()
    .catch((error: unknown) => {
      if (error instanceof EgressError && error.problem === 'broken') return send()
      throw error
    })
    .catch((error: unknown) => {
      if (!(error instanceof EgressError)) throw error
      const problem = error.problem === 'timeout' ? 'timeout' : 'unreachable'
      throw new SearchFailure(problem, error.message, { cause: error })
    })
  const { status } = answer
  if (status === 429) throw new SearchFailure('busy', 'It was asked too often.')
  if (status !== 200) throw new SearchFailure('bad_answer', `It answered with status ${status}.`)
  const parsed = schema.safeParse(parseJson(answer))
  if (!parsed.success) throw new SearchFailure('bad_answer', 'Its answer is not what its protocol says.')
  return parsed.data
}
