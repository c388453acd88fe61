/** The groups of operations, in the order in which the reference shows them. */
export const tags = [
  { name: 'Agents', description: 'Configurable conversational characters: drafts, revisions and publications.' },
  { name: 'Tokens', description: 'Short-lived credentials for browsers, each for one use.' },
  { name: 'Sessions', description: 'Conversations with Agents, live and past.' },
  { name: 'End users', description: 'Data about the people that Agents talk with.' },
  { name: 'Speech', description: 'Text to speech, and recorded speech to text.' },
  { name: 'Catalogs', description: 'Voices and avatars.' },
  { name: 'Credit', description: 'Balance and usage.' },
  { name: 'Webhooks', description: 'Your own addresses that receive events, and the log of deliveries.' },
  { name: 'People', description: 'Accounts, sign-ins and invitations of the people who use the dashboard.' },
  { name: 'Keys', description: 'API keys of a workspace.' },
  { name: 'Operations', description: 'For the people who run Parlance.' },
] as const

export type Tag = (typeof tags)[number]['name']
