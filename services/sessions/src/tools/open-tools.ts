import type { AgentConfig } from '@parlance/contracts'
import type { Tool } from './tool.js'

/** Of the conversation that calls them. */
export interface OpenToolsOptions {
  readonly workspaceId: string
  readonly agentId: string
  readonly sessionId: string
  readonly requestId: string
  readonly endUserId: string | null
  /** Of the user: an IANA name. */
  readonly timeZone: string
  /** Of the published revision. */
  readonly config: AgentConfig
}

/** The tools of a kind that a conversation may use: none, where its revision does not list any. */
export type OpenTools = (options: OpenToolsOptions) => readonly Tool[]

export const openToolsOf =
  (kinds: readonly OpenTools[]): OpenTools =>
  (options) =>
    kinds.flatMap((open) => open(options))
