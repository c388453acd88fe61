/** The messages that the page sends in a session. */
export type ClientMessage =
  | { readonly event: 'client.ready' | 'ptt.start' | 'ptt.commit' | 'ptt.cancel' | 'interrupt' | 'ping' }
  | { readonly event: 'text.send'; readonly id: string; readonly text: string }
  | { readonly event: 'context.update'; readonly text: string }
  | { readonly event: 'mute'; readonly muted: boolean }
  | {
      readonly event: 'tool.result'
      readonly tool_call_id: string
      readonly result: unknown
      readonly is_error: boolean
    }
