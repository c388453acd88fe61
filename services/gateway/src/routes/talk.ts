import { createPage, sharedParts } from './page.js'

const own = new URL('../../assets/talk/', import.meta.url)

const parts = ['agents.js', 'level.js', 'session.js', 'talk.css', 'talk.js', 'transcript.js', 'view.js']

/** Where people talk with an Agent, at `/talk`. */
export const talk = createPage(own, new Map([...sharedParts, ...parts.map((name) => [name, own] as const)]))
