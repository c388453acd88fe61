import type { ToolCall } from './client-events.js'
import type { Tool } from './parlance-client.js'

export interface ToolResult {
  readonly tool_call_id: string
  readonly result: unknown
  readonly is_error: boolean
}

/** The tools of the page that the Agent may call. */
export interface Tools {
  /** Replaces a tool of the same name. Returns a function that unregisters the tool. */
  register(name: string, tool: Tool): () => void
  /** Never rejects. */
  run(call: ToolCall): Promise<ToolResult>
}

/** The limit of a message, less the rest of its JSON. */
const maxResultBytes = 60 * 1024

export const createTools = (): Tools => {
  const tools = new Map<string, Tool>()

  return {
    register(name, tool) {
      tools.set(name, tool)
      return () => {
        if (tools.get(name) === tool) tools.delete(name)
      }
    },
    async run({ tool_call_id, name, arguments: input }) {
      const failed = (reason: string): ToolResult => ({ tool_call_id, result: reason, is_error: true })
      const tool = tools.get(name)
      if (tool === undefined) return failed(`This page has no tool "${name}".`)
      try {
        const result = (await tool(input)) ?? null
        const bytes = new TextEncoder().encode(JSON.stringify(result)).length
        if (bytes > maxResultBytes) return failed('The tool returned too much.')
        return { tool_call_id, result, is_error: false }
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
