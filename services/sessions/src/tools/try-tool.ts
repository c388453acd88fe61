import { randomUUID } from 'node:crypto'
import type { AgentConfig, ToolTrial } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { confirmingTool } from './calendar/calendar-tools.js'
import type { OpenMcpTools } from './mcp-tools.js'
import type { OpenTools } from './tool.js'
import { createToolRunner } from './tool-runner.js'

export interface TriedCall {
  readonly workspaceId: string
  readonly agentId: string
  /** The person who tries the tool, as its end user. */
  readonly personId: string
  readonly requestId: string
  /** Contains the tool. */
  readonly config: AgentConfig
  readonly name: string
  readonly arguments: unknown
  /** The IANA name of the person's time zone. */
  readonly timeZone: string
  /** Whether to carry out what the tool proposes. */
  readonly confirmed: boolean
  readonly signal: AbortSignal
}

/** Means yes in every language. */
const yes = 'OK'

/**
 * Calls a tool as a conversation would. A proposal that is confirmed is answered with yes in the next turn, as by a user to
 * whom it was read aloud. With the name of an MCP server, its tools are listed. The id of the conversation in the call does not
 * exist. Rejects only with the signal's reason.
 */
export type TryTool = (call: TriedCall) => Promise<ToolTrial>

interface TryToolOptions {
  readonly openTools: OpenTools
  readonly openMcpTools: OpenMcpTools
  readonly logger: Logger
}

export const createTryTool = ({ openTools, openMcpTools, logger }: TryToolOptions): TryTool => {
  const listTools = async ({ workspaceId, agentId, requestId, config }: TriedCall): Promise<ToolTrial> => {
    const beganMs = performance.now()
    const { tools, failures, close } = await openMcpTools({
      ...{ workspaceId, agentId, requestId, config },
      sessionId: randomUUID(),
    })
    const duration_ms = performance.now() - beganMs
    void close()
    const [failure] = failures
    if (failure !== undefined) return { outcome: 'failed', result: failure.reason, duration_ms }
    const lines = tools.map(({ name, description }) => `- ${name}: ${description.split('\n')[0]}`)
    const result = lines.length === 0 ? 'The server has no tool that the Agent may call.' : lines.join('\n')
    return { outcome: 'succeeded', result, duration_ms }
  }

  return async (tried) => {
    const { workspaceId, agentId, personId, requestId, config, timeZone, signal, ...call } = tried
    if (config.tools.some(({ type, name }) => type === 'mcp' && name === call.name)) return listTools(tried)
    const conversation = { sessionId: randomUUID(), endUserId: personId, timeZone }
    const runner = createToolRunner({
      tools: openTools({ ...conversation, workspaceId, agentId, requestId, config }),
      logger,
    })
    const beganMs = performance.now()
    const called = await runner.run(call, { callId: randomUUID(), turn: 1, userText: '', playedText: '', signal })
    const isConfirmed = call.confirmed && !called.isError
    const { text, isError } = isConfirmed
      ? await runner.run(
          { name: confirmingTool, arguments: {} },
          { callId: randomUUID(), turn: 2, userText: yes, playedText: called.text, signal },
        )
      : called
    return { outcome: isError ? 'failed' : 'succeeded', result: text, duration_ms: performance.now() - beganMs }
  }
}
