/** The groups of operations, in the order in which the reference shows them. */
export const tags = [
  { name: 'Agents', description: 'Configurable characters that talk: drafts, revisions and publications.' },
  { name: 'Tokens', description: 'What a backend hands to a browser: short-lived, and each for one use.' },
  { name: 'Sessions', description: 'Conversations with Agents, live and past.' },
  { name: 'End users', description: 'What is kept of the people that Agents talk with.' },
  { name: 'Speech', description: 'Text to speech.' },
  { name: 'Catalogs', description: 'What there is to choose from.' },
  { name: 'Credit', description: 'What is left, and what was used.' },
  { name: 'Operations', description: 'For those who run Parlance.' },
] as const

export type Tag = (typeof tags)[number]['name']
