import * as z from 'zod/mini'
import { searchOf } from '../shared/search.js'

/** The maximum length of a text in the API. */
export const maxLetters = 200

/** What the list of Agents is filtered by. */
export const agentFilterOf = searchOf({
  /** A part of the name, the slug or the description. */
  q: z.string().check(z.minLength(1), z.maxLength(maxLetters)),
  state: z.enum(['draft', 'published']),
})

export type AgentFilter = ReturnType<typeof agentFilterOf>
