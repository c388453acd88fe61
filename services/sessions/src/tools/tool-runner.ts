/**
 * Runs the tool calls of a model.
 *
 * - Only listed tools are called.
 * - Every call gets a result within the tool's time limit and of a limited size. Failures are results too.
 * - A call ends with its turn. A later result is dropped.
 */
import { withTimeout } from '@parlance/async'
import type { Logger } from '@parlance/telemetry'
import type { ToolCall } from '../llm/language-model.js'
import { argumentProblem } from './argument-problem.js'
import type { Tool, ToolContext, ToolResult } from './tool.js'

/** Control characters except line ends and tabs, direction marks, tags, variation selectors and private use characters. */
const invisible = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]|\p{Variation_Selector}/gu

/**
 * Text from outside, at most `maxCharacters` long, without invisible characters: attacks hide instructions to models in them.
 */
export const untrustedText = (text: string, maxCharacters: number): string => {
  const visible = text.toWellFormed().replace(invisible, '').trim()
  if (visible.length <= maxCharacters) return visible
  // The cut may have left half of a surrogate pair.
  return `${visible
    .slice(0, maxCharacters - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}

interface ToolRunnerOptions {
  /** When several tools have the same name, the first is used. */
  readonly tools: readonly Tool[]
  readonly logger: Logger
}

/** The maximum that providers of models accept. */
const maxNameCharacters = 64

/** About two thousand tokens. */
const maxResultCharacters = 8_000

/** At most `maxCharacters` of the text, followed by a note when there were more. */
export const cutOff = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()} … (the rest is cut off)`

const failed = (text: string): ToolResult => ({ text, isError: true })

const bounded = (result: ToolResult): ToolResult => ({
  ...result,
  text: cutOff(result.text.toWellFormed(), maxResultCharacters),
})

export type ToolRunner = ReturnType<typeof createToolRunner>

export const createToolRunner = ({ tools, logger }: ToolRunnerOptions) => {
  const isTaken = (tool: Tool) => tools.some((other) => other !== tool && other.name === tool.name)
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    const { server } = tool
    const isRenamed = server !== undefined && isTaken(tool)
    const name = isRenamed ? `${server}_${tool.name}`.slice(0, maxNameCharacters) : tool.name
    if (!byName.has(name)) byName.set(name, isRenamed ? { ...tool, name } : tool)
  }

  const callInTime = async (tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult> => {
    const timeUp = new AbortController()
    const onTimeout = () => {
      timeUp.abort(new Error('The tool took too long.'))
      return failed(`The tool did not answer within ${tool.timeoutMs} ms. It is not known whether it was done.`)
    }
    const signal = AbortSignal.any([context.signal, timeUp.signal])
    const call = async () => tool.call(args, { ...context, signal })
    return bounded(await withTimeout(call(), tool.timeoutMs, onTimeout, context.signal))
  }

  return {
    /** Tools with different names. */
    tools: [...byName.values()],
    /** Rejects only with the reason of the context's signal. */
    async run(
      { name, arguments: args }: Pick<ToolCall, 'name' | 'arguments'>,
      context: ToolContext,
    ): Promise<ToolResult> {
      context.signal.throwIfAborted()
      const tool = byName.get(name)
      if (tool === undefined) return failed('There is no such tool.')
      const problem = argumentProblem(tool.parameters, args)
      if (problem !== undefined) return failed(`The tool was not called: ${problem}.`)
      try {
        return await callInTime(tool, args, context)
      } catch (err) {
        context.signal.throwIfAborted()
        logger.warn({ component: 'tool', implementation: name, err }, 'A tool failed')
        return failed('The tool failed.')
      }
    },
  }
}
