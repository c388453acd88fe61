/** The paths of all pages. The build gives this list to the server. A segment that begins with `$` is a parameter. */
export const pagePaths = [
  '/',
  '/sign-in',
  '/forgot-password',
  '/password',
  '/invitation',
  '/try/talk',
  '/playground/talk',
  '/agents',
  '/agents/new',
  '/agents/$agentId',
  '/agents/$agentId/history',
  '/conversations',
  '/conversations/$sessionId',
  '/voices',
  '/avatars',
  '/usage',
  '/keys',
  '/webhooks',
  '/webhooks/$webhookId',
  '/members',
  '/audit-log',
  '/account',
] as const

export type PagePath = (typeof pagePaths)[number]
