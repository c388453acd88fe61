import type { StreamedCall, StreamedProtocol } from './event-stream-server.js'

const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

const toolUse = ({ id, name, json }: StreamedCall, index: number) => [
  event({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } }),
  // It begins with an empty part, as Anthropic's own servers do.
  ...['', ...json].map((partial_json) =>
    event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
  ),
  event({ type: 'content_block_stop', index }),
]

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
  tail: (usage, calls = []) => [
    event({ type: 'content_block_stop', index: 0 }),
    ...calls.flatMap((call, at) => toolUse(call, at + 1)),
    event({
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage?.outputTokens ?? 0, input_tokens: usage?.inputTokens ?? 0 },
    }),
    event({ type: 'message_stop' }),
  ],
}
