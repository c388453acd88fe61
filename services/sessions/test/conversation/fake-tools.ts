/** Stand-ins for what an Agent can do; they keep time by fake timers. */
import type { AgentConfig } from '@parlance/contracts'
import type { Tool, ToolContext, ToolResult } from '../../src/tools/tool.js'
import { after } from './fake-stages.js'

export interface FakeCall extends ToolContext {
  readonly args: unknown
  readonly atMs: number
  outcome: 'open' | 'answered' | 'failed' | 'cancelled'
}

export interface FakeTool extends Tool {
  readonly calls: readonly FakeCall[]
}

export interface FakeToolOptions extends Partial<Pick<Tool, 'parameters' | 'timeoutMs'>> {
  /** Before it answers; forever, if that is not finite. */
  readonly ms?: number
  readonly result?: Partial<ToolResult>
  readonly fails?: Error
  /** Whether it ignores its signal. */
  readonly ignoresSignal?: boolean
}

export const fakeTool = (name: string, options: FakeToolOptions = {}): FakeTool => {
  const { ms = 100, parameters = {}, timeoutMs = 10_000, result, fails, ignoresSignal = false } = options
  const calls: FakeCall[] = []
  return {
    name,
    description: `Does ${name}.`,
    parameters,
    timeoutMs,
    calls,
    async call(args, context) {
      const call: FakeCall = { ...context, args, atMs: performance.now(), outcome: 'open' }
      calls.push(call)
      const waiting = Number.isFinite(ms)
        ? after(ms, ignoresSignal ? undefined : context.signal)
        : after(2 ** 31 - 1, context.signal)
      await waiting.catch((reason) => {
        call.outcome = 'cancelled'
        throw reason
      })
      call.outcome = fails === undefined ? 'answered' : 'failed'
      if (fails !== undefined) throw fails
      return { text: `${name} is done`, isError: false, ...result }
    },
  }
}

type PageTool = Extract<AgentConfig['tools'][number], { type: 'client' }>

export const pageTool = (name: string, more: Partial<PageTool> = {}): PageTool => ({
  type: 'client',
  name,
  description: `Does ${name} in the page.`,
  parameters: {},
  timeout_ms: 5000,
  ...more,
})
