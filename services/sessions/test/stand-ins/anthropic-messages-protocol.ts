import type { StreamedProtocol } from './event-stream-server.js'

const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** Anthropic's messages, streamed: with a `ping`, and the usage split over the first and the last message event. */
export const anthropicMessagesProtocol: StreamedProtocol = {
  head: [
    event({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'stand-in',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 12, output_tokens: 1 },
      },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'ping' }),
  ],
  text: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  tail: (usage) => [
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage?.outputTokens ?? 0, input_tokens: usage?.inputTokens ?? 0 },
    }),
    event({ type: 'message_stop' }),
  ],
}
