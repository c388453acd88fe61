import type { AgentConfig, WebSource } from '@parlance/contracts'
import type { ToolDescription } from '../llm/language-model.js'

/** A tool of an Agent, opened for one conversation. */
export interface Tool extends ToolDescription {
  readonly timeoutMs: number
  /** The MCP server that has the tool. Its name precedes that of the tool where another tool has the same name. */
  readonly server?: string
  /**
   * `args` is an object from the model in which no violation of `parameters` was found. The tool parses it and reports faults in
   * its result. Rejects with the signal's reason. Other errors reach the model as a failure without details.
   */
  call(args: unknown, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  readonly callId: string
  /** The number of the turn, which grows with each message of the user: a tool sees whether its question was answered. */
  readonly turn: number
  /** The user's words of this turn; empty when the Agent speaks without them. */
  readonly userText: string
  /** The Agent's words that were played between the user's last two messages, which `userText` may answer. */
  readonly playedText: string
  /** Aborted at the end of the turn, and after the tool's time limit. */
  readonly signal: AbortSignal
}

export interface ToolResult {
  /** The result for the model. */
  readonly text: string
  readonly isError: boolean
  /** The model is not asked for more in this turn. */
  readonly endsTurn?: boolean
  /** With `endsTurn`: what the agent says where it has said nothing in this turn. */
  readonly spoken?: string
  /** Stored with the message that the Agent bases on the result. */
  readonly sources?: readonly WebSource[]
}

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
