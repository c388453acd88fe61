import type { AgentConfig } from '@parlance/contracts'
import type { Tool } from './tool.js'

/** The conversation that calls the tools. */
export interface OpenToolsOptions {
  readonly workspaceId: string
  readonly agentId: string
  readonly sessionId: string
  readonly requestId: string
  readonly endUserId: string | null
  /** The IANA name of the user's time zone. */
  readonly timeZone: string
  /** The config of the published revision. */
  readonly config: AgentConfig
}

/** Opens the tools of one kind for a conversation; none when its revision does not enable them. */
export type OpenTools = (options: OpenToolsOptions) => readonly Tool[]

export const openToolsOf =
  (kinds: readonly OpenTools[]): OpenTools =>
  (options) =>
    kinds.flatMap((open) => open(options))
