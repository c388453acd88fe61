import type { sessionsContract } from './sessions.js'
import type { tokensContract } from './tokens.js'

/** What an operator may call of services that are otherwise for workspaces, by contract: what tests of Agents need. */
export const agentTestMethods = {
  sessions: ['getSession', 'judge', 'listToolCalls'],
  tokens: ['checkStreamToken', 'mintDraftSessionToken'],
} as const satisfies {
  readonly sessions: readonly (keyof typeof sessionsContract.methods)[]
  readonly tokens: readonly (keyof typeof tokensContract.methods)[]
}
