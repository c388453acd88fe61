import type { AgentConfig, SessionClientEvent, SessionServerEvent } from '@parlance/contracts'
import type { Tool, ToolContext, ToolResult } from './tool.js'

interface ClientToolsOptions {
  send(event: Extract<SessionServerEvent, { event: 'tool.call' }>): void
}

const asResult = (result: unknown, isError: boolean): ToolResult => {
  if (result === undefined) return { text: 'Done.', isError }
  if (typeof result === 'string') return { text: result, isError }
  try {
    return { text: JSON.stringify(result), isError }
  } catch {
    return { text: 'The result of the page is nested too deep.', isError: true }
  }
}

export type ClientTools = ReturnType<typeof createClientTools>

/** Tools that the page provides: calls and results go over the connection of the conversation. */
export const createClientTools = ({ send }: ClientToolsOptions) => {
  const waiting = new Map<string, (result: ToolResult) => void>()

  const ask = (name: string): Tool['call'] => {
    return (args, { callId, signal }) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const onAbort = () => {
          waiting.delete(callId)
          reject(signal.reason)
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(callId, (result) => {
          waiting.delete(callId)
          signal.removeEventListener('abort', onAbort)
          resolve(result)
        })
        send({ event: 'tool.call', tool_call_id: callId, name, arguments: args })
      })
  }

  return {
    /** Those of a published revision. */
    toolsOf: (config: Pick<AgentConfig, 'tools'>): readonly Tool[] =>
      config.tools
        .filter((tool) => tool.type === 'client')
        .map(({ name, description, parameters, timeout_ms: timeoutMs }) => ({
          name,
          description,
          parameters,
          timeoutMs,
          call: ask(name),
        })),
    /** Calls something of the client that is no tool of the Agent. */
    call: (name: string, args: unknown, context: ToolContext): Promise<ToolResult> => ask(name)(args, context),
    /** Returns false when no call with this id waits for a result. */
    take({
      tool_call_id: id,
      result,
      is_error: isError,
    }: Extract<SessionClientEvent, { event: 'tool.result' }>): boolean {
      const answer = waiting.get(id)
      answer?.(asResult(result, isError))
      return answer !== undefined
    },
  }
}
