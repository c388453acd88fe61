import { randomUUID } from 'node:crypto'
import type { SessionToolCall } from '@parlance/contracts'
import type { ToolCall } from '../llm/language-model.js'
import type { ToolResult } from '../tools/tool.js'
import { cutOff } from '../tools/tool-runner.js'

export interface RecordedCallOptions {
  readonly call: ToolCall
  /** The message of the agent that the call belongs to. */
  readonly messageId: string
  /** Called once, when the call has ended. */
  record(call: SessionToolCall): void
  /** Rejects when the call is interrupted. */
  run(callId: string): Promise<ToolResult>
}

/** Results are bounded by the runner. */
const maxNameCharacters = 128
const maxArgumentCharacters = 8_000

/** Short arguments as they are; of longer ones the beginning of their JSON text. */
const boundedArguments = (args: unknown): unknown => {
  const text = JSON.stringify(args) ?? 'null'
  return text.length <= maxArgumentCharacters ? JSON.parse(text) : cutOff(text, maxArgumentCharacters)
}

/** Runs a tool call and records it. Rejects as `run` does. */
export const recordedCall = async ({ call, messageId, record, run }: RecordedCallOptions): Promise<ToolResult> => {
  const [id, startedAt, beganMs] = [randomUUID(), new Date(), performance.now()]
  const ended = (outcome: SessionToolCall['outcome'], result: string | null): void =>
    record({
      id,
      message_id: messageId,
      name: cutOff(call.name, maxNameCharacters),
      arguments: boundedArguments(call.arguments),
      result,
      outcome,
      started_at: startedAt.toISOString(),
      duration_ms: performance.now() - beganMs,
    })
  try {
    const result = await run(id)
    ended(result.isError ? 'failed' : 'succeeded', result.text)
    return result
  } catch (error) {
    ended('interrupted', null)
    throw error
  }
}
