import type { Conversation, Message, ToolCall, Turn } from './conversation-queries.js'

/** A message, with the calls that the Agent made for it and the turn that answers it. */
export interface MessageEntry {
  readonly message: Message
  readonly calls: readonly ToolCall[]
  readonly turn: Turn | undefined
}

/** Calls of a reply of which nothing was played: it has no message. */
interface CallsEntry {
  readonly message: undefined
  readonly calls: readonly ToolCall[]
}

type TranscriptEntry = MessageEntry | CallsEntry

const byStart = (one: ToolCall, other: ToolCall): number => one.started_at.localeCompare(other.started_at)

/**
 * Messages and tool calls in order: calls are with their message, or else at their time. The n-th turn belongs to the n-th
 * message of the user.
 */
export const entriesOf = ({
  transcript,
  turns,
  tool_calls: calls,
}: Pick<Conversation, 'transcript' | 'turns' | 'tool_calls'>): readonly TranscriptEntry[] => {
  const ids = new Set(transcript.map(({ id }) => id))
  const waiting = calls.filter(({ message_id }) => !ids.has(message_id)).sort(byStart)
  const entries: TranscriptEntry[] = []
  let nextTurn = 0

  const addCallsUntil = (isBefore: (call: ToolCall) => boolean): void => {
    const first = waiting.findIndex((call) => !isBefore(call))
    const due = waiting.splice(0, first === -1 ? waiting.length : first)
    if (due.length > 0) entries.push({ message: undefined, calls: due })
  }

  for (const message of transcript) {
    addCallsUntil(({ started_at }) => started_at < message.created_at)
    entries.push({
      message,
      calls: calls.filter(({ message_id }) => message_id === message.id).sort(byStart),
      turn: message.role === 'user' ? turns[nextTurn++] : undefined,
    })
  }
  addCallsUntil(() => true)
  return entries
}
