import { ServiceError } from '@parlance/contracts'
import type { z } from 'zod'
import type { Tool, ToolContext, ToolResult } from '../tool.js'
import { parametersOf } from './calendar-arguments.js'

const timeoutMs = 5_000

/** Creates a tool that parses its arguments, and reports faults in words by which a model can correct them. */
export const createCalendarTool = <Schema extends z.ZodType>(
  name: string,
  description: string,
  schema: Schema,
  run: (args: z.output<Schema>, context: ToolContext) => Promise<string>,
): Tool => ({
  name,
  description,
  parameters: parametersOf(schema),
  timeoutMs,
  async call(given, context): Promise<ToolResult> {
    const args = schema.safeParse(given)
    if (!args.success) {
      const [issue] = args.error.issues
      return { text: `${issue?.path.join('.') || 'The arguments'}: ${issue?.message}`, isError: true }
    }
    try {
      return { text: await run(args.data, context), isError: false }
    } catch (error) {
      if (!(error instanceof ServiceError) || !['invalid_request', 'not_found'].includes(error.code)) throw error
      return { text: error.detail, isError: true }
    }
  },
})
