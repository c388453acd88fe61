import type { Source } from '@parlance/contracts'
import type { ToolDescription } from '../llm/language-model.js'

/** Something an Agent can do beside talking. One serves one conversation. */
export interface Tool extends ToolDescription {
  readonly timeoutMs: number
  /**
   * `args` are what the model made up: the tool parses them, and says what is wrong with them in its result. Rejects with the
   * signal's reason; whatever else it rejects with is told to the model as a failure, without what it says.
   */
  call(args: unknown, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  readonly callId: string
  /** Counts what the user has said: who asks before he acts finds here that he was answered meanwhile. */
  readonly turn: number
  /** The user's words of this turn; empty where the agent speaks of its own accord. */
  readonly said: string
  /** What he had heard of the agent since he spoke before that: what his words may be an answer to. */
  readonly heard: string
  /** Aborted with the turn, and when time is up. */
  readonly signal: AbortSignal
}

export interface ToolResult {
  /** For the model: data, whatever it says. */
  readonly text: string
  readonly isError: boolean
  /** Kept with the message that is said with it. */
  readonly sources?: readonly Source[]
}
