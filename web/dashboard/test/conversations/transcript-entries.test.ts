import type { Message, ToolCall } from '../../src/conversations/conversation-queries.js'
import { entriesOf } from '../../src/conversations/transcript-entries.js'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 9, 30, second)).toISOString()
const message = (role: Message['role'], second: number): Message => ({
  ...{ id: `${role} ${second}`, role, text: 'Text.', created_at: at(second), interrupted: false },
})
const call = (message_id: string, second: number): ToolCall => ({
  ...{ id: `call ${second}`, message_id, name: 'find', arguments: {}, result: null, outcome: 'interrupted' },
  ...{ started_at: at(second), duration_ms: 5 },
})
const turn = {
  ...{ endpointing_ms: 500, stt_ms: 80, llm_ttft_ms: 300, tts_ttfa_ms: 90, voice_to_voice_ms: 1_050 },
  ...({ prepared_ms: null, speculation: 'none' } as const),
}

const shownOf = (...parts: Parameters<typeof entriesOf>) =>
  entriesOf(...parts).map(({ message: shown, calls }) => [shown?.id, ...calls.map(({ id }) => id)])

test('a call is shown with the message that it belongs to, in the order in which calls began', () => {
  const transcript = [message('user', 1), message('agent', 2), message('user', 9)]
  const tool_calls = [call('agent 2', 4), call('agent 2', 3)]
  expect(shownOf({ transcript, turns: [], tool_calls })).toEqual([
    ['user 1'],
    ['agent 2', 'call 3', 'call 4'],
    ['user 9'],
  ])
})

test('calls whose message was not played are shown at their time, also after the last message', () => {
  const transcript = [message('user', 1), message('user', 5)]
  const tool_calls = [call('gone', 2), call('gone', 3), call('gone too', 6)]
  expect(shownOf({ transcript, turns: [], tool_calls })).toEqual([
    ['user 1'],
    [undefined, 'call 2', 'call 3'],
    ['user 5'],
    [undefined, 'call 6'],
  ])
})

test('the n-th turn belongs to the n-th message of the user', () => {
  const transcript = [message('agent', 0), message('user', 1), message('agent', 2), message('user', 3)]
  const turns = [turn, { ...turn, endpointing_ms: 7 }]
  const entries = entriesOf({ transcript, turns, tool_calls: [] })
  expect(entries.map((entry) => (entry.message === undefined ? null : entry.turn?.endpointing_ms))).toEqual([
    undefined,
    500,
    undefined,
    7,
  ])
})
