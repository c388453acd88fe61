/**
 * Does what a model calls for, as far as the Agent may.
 *
 * - Only a tool of the list is ever called, whatever name a model comes up with and wherever it has that from.
 * - There is an answer to every call, within the tool's time and of a bounded size: what goes wrong is told to the model.
 * - With its turn it is over: what a tool answers after that is nobody's.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from '@parlance/telemetry'
import type { ToolCall } from '../llm/language-model.js'
import { argumentProblem } from './argument-problem.js'
import { cutOff } from './cut-off.js'
import type { Tool, ToolContext, ToolResult } from './tool.js'

export interface ToolRunner {
  /** Names are different. */
  readonly tools: readonly Tool[]
  /** Rejects with the signal's reason, and with nothing else. */
  run(call: ToolCall, turn: Omit<ToolContext, 'callId'>): Promise<ToolResult>
}

export interface ToolRunnerOptions {
  /** Of those with one name the first counts. */
  readonly tools: readonly Tool[]
  readonly logger: Logger
}

/** Some two thousand tokens. */
const maxResultCharacters = 8_000

const failed = (text: string): ToolResult => ({ text, isError: true })

const bounded = (result: ToolResult): ToolResult => ({
  ...result,
  text: cutOff(result.text.toWellFormed(), maxResultCharacters),
})

export const createToolRunner = ({ tools, logger }: ToolRunnerOptions): ToolRunner => {
  const byName = new Map<string, Tool>()
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool)

  const callInTime = async (tool: Tool, args: unknown, turn: Omit<ToolContext, 'callId'>) => {
    const { signal } = turn
    const stop = new AbortController()
    const timeUp = failed(`The tool did not answer within ${tool.timeoutMs} ms. It is not known whether it was done.`)
    let release = () => {}
    const over = new Promise<ToolResult>((resolve, reject) => {
      const timer = setTimeout(() => {
        resolve(timeUp)
        stop.abort(new Error('The time of the tool is up.'))
      }, tool.timeoutMs)
      const onAbort = () => {
        reject(signal.reason)
        stop.abort(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      release = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
    })
    const call = async () => tool.call(args, { ...turn, callId: randomUUID(), signal: stop.signal })
    try {
      return bounded(await Promise.race([over, call()]))
    } finally {
      release()
    }
  }

  return {
    tools: [...byName.values()],
    async run({ name, arguments: args }, turn) {
      turn.signal.throwIfAborted()
      const tool = byName.get(name)
      if (tool === undefined) return failed('There is no such tool.')
      const problem = argumentProblem(tool.parameters, args)
      if (problem !== undefined) return failed(`The tool was not called: ${problem}.`)
      try {
        return await callInTime(tool, args, turn)
      } catch (err) {
        turn.signal.throwIfAborted()
        logger.warn({ component: 'tool', implementation: name, err }, 'A tool failed')
        return failed('The tool failed.')
      }
    },
  }
}
