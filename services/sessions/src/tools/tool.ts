import type { Source } from '@parlance/contracts'
import type { ToolDescription } from '../llm/language-model.js'

/** A tool of an Agent, opened for one conversation. */
export interface Tool extends ToolDescription {
  readonly timeoutMs: number
  /**
   * `args` come from the model and match the schema of `parameters` at most. The tool parses them and reports faults in its
   * result. Rejects with the signal's reason. Other errors reach the model as a failure without details.
   */
  call(args: unknown, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  readonly callId: string
  /** The number of the turn, which grows with each message of the user. A tool that asked a question sees that it was answered. */
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
  /** Stored with the message that the Agent bases on the result. */
  readonly sources?: readonly Source[]
}
