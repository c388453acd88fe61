import { randomUUID } from 'node:crypto'
import type { AgentConfig, ToolTrial } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { OpenTools } from './open-tools.js'
import { createToolRunner } from './tool-runner.js'

export interface TriedCall {
  readonly workspaceId: string
  readonly agentId: string
  /** The person who tries the tool, as its end user. */
  readonly personId: string
  readonly requestId: string
  /** With the tool. */
  readonly config: AgentConfig
  readonly name: string
  readonly arguments: unknown
  readonly signal: AbortSignal
}

/** Calls a tool as a conversation would. The id of the conversation in the call names none. Rejects only with the signal's reason. */
export type TryTool = (call: TriedCall) => Promise<ToolTrial>

export const createTryTool =
  ({ openTools, logger }: { readonly openTools: OpenTools; readonly logger: Logger }): TryTool =>
  async ({ workspaceId, agentId, personId, requestId, config, name, arguments: args, signal }) => {
    const conversation = { sessionId: randomUUID(), endUserId: personId, timeZone: 'UTC' }
    const tools = openTools({ ...conversation, workspaceId, agentId, requestId, config })
    const beganMs = performance.now()
    const { text, isError } = await createToolRunner({ tools, logger }).run(
      { name, arguments: args },
      { callId: randomUUID(), turn: 1, userText: '', playedText: '', signal },
    )
    return { outcome: isError ? 'failed' : 'succeeded', result: text, duration_ms: performance.now() - beganMs }
  }
