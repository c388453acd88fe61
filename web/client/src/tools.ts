import type { ToolCall } from './client-events.js'
import type { JsonSchema, StandardSchema, Tool, TypedTool } from './parlance-client.js'

export interface ToolResult {
  readonly tool_call_id: string
  readonly result: unknown
  readonly is_error: boolean
}

/** The tools of the page that the Agent may call. */
export interface Tools {
  /** Replaces a tool of the same name. Returns a function that unregisters the tool. */
  register(name: string, tool: AnyTool): () => void
  /** Never rejects. */
  run(call: ToolCall): Promise<ToolResult>
}

type AnyTool = Tool | TypedTool<StandardSchema | JsonSchema>

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)
const isOneOf = (value: unknown, values: readonly unknown[]): boolean =>
  values.some((one) => JSON.stringify(one) === JSON.stringify(value))

/** The first problem of a value, in words for the model. */
const problemOf = (schema: JsonSchema, value: unknown, path: string): string | undefined => {
  const { type, properties = {}, required = [], items } = schema
  const fits = type === 'integer' ? Number.isInteger(value) : type === undefined || type === typeOf(value)
  if (!fits) return `${path} must be of the type ${type}`
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  if (values !== undefined && !isOneOf(value, values)) return `${path} must be one of ${JSON.stringify(values)}`
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item, index) => problemOf(items, item, `${path}[${index}]`)).find((problem) => problem)
  }
  if (typeOf(value) !== 'object') return undefined
  const object = value as Record<string, unknown>
  const missing = required.find((name) => !(name in object))
  if (missing !== undefined) return `${path}.${missing} is required`
  return Object.entries(properties)
    .map(([name, inner]) => name in object && problemOf(inner, object[name], `${path}.${name}`))
    .find((problem) => typeof problem === 'string') as string | undefined
}

/** Returns the value as the schema reads it. Throws an error for the model. */
const checked = async (schema: StandardSchema | JsonSchema, value: unknown): Promise<unknown> => {
  if (!('~standard' in schema)) {
    const problem = problemOf(schema, value, 'arguments')
    if (problem !== undefined) throw new Error(problem)
    return value
  }
  const result = await (schema as StandardSchema)['~standard'].validate(value)
  if (result.issues === undefined) return result.value
  throw new Error(
    result.issues
      .map(({ message, path = [] }) => `${['arguments', ...path].map(nameOf).join('.')}: ${message}`)
      .join('; '),
  )
}

const nameOf = (part: unknown): string => String((part as { key?: unknown } | null)?.key ?? part)

const runTool = async (tool: AnyTool, input: unknown): Promise<unknown> =>
  typeof tool === 'function' ? tool(input) : tool.run((await checked(tool.parameters, input)) as never)

/** The limit of a message, less the rest of its JSON. */
const maxResultBytes = 60 * 1024

export const createTools = (): Tools => {
  const tools = new Map<string, AnyTool>()

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
        const result = (await runTool(tool, input)) ?? null
        const bytes = new TextEncoder().encode(JSON.stringify(result)).length
        if (bytes > maxResultBytes) return failed('The tool returned too much.')
        return { tool_call_id, result, is_error: false }
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
