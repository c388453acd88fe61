import type { HistoryItem, TranscriptMessage } from './client-events.js'
import type { ServerEvent } from './messages.js'
import type { ToolResult } from './tools.js'

/** What was said and done in the current session, or in the last one. The arrays are replaced when they change. */
export interface History {
  items(): readonly HistoryItem[]
  messages(): readonly TranscriptMessage[]
  onEvent(event: ServerEvent): void
  onToolResult(result: ToolResult): void
  clear(): void
}

export const createHistory = (onChange: (items: readonly HistoryItem[]) => void): History => {
  let items: readonly HistoryItem[] = []
  let messages: readonly TranscriptMessage[] = []
  const set = (next: readonly HistoryItem[]): void => {
    items = next
    onChange(items)
  }
  const setMessage = ({ event: _, ...message }: Extract<ServerEvent, { event: 'transcript' }>): void => {
    const item: HistoryItem = { type: 'message', ...message }
    const isKnown = messages.some(({ id }) => id === message.id)
    const isWithdrawn = message.final && message.text === ''
    const next = isWithdrawn
      ? items.filter((one) => one.type === 'tool_call' || one.id !== message.id)
      : isKnown
        ? items.map((one) => (one.type === 'message' && one.id === message.id ? item : one))
        : [...items, item]
    messages = next.filter((one) => one.type === 'message')
    set(next)
  }

  return {
    items: () => items,
    messages: () => messages,
    onEvent(event) {
      if (event.event === 'transcript') return setMessage(event)
      const { event: name, ...payload } = event
      if (name === 'tool.call') set([...items, { type: 'tool_call', ...(payload as typeof event) }])
      if (name === 'interruption') set([...items, { type: 'interruption', ...(payload as typeof event) }])
    },
    onToolResult({ tool_call_id, ...result }) {
      set(
        items.map((one) =>
          one.type === 'tool_call' && one.tool_call_id === tool_call_id ? { ...one, ...result } : one,
        ),
      )
    },
    clear() {
      if (items.length === 0) return
      messages = []
      set([])
    },
  }
}
