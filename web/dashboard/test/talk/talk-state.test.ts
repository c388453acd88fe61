import { nextTalkState, notStarted, type TalkEvent } from '../../src/talk/talk-state.js'

const after = (...events: TalkEvent[]) => events.reduce(nextTalkState, notStarted)
const turn = {
  ...{ endpointing_ms: 1, stt_ms: 2, llm_ttft_ms: 3, tts_ttfa_ms: 4, voice_to_voice_ms: 10 },
  ...({ prepared_ms: null, speculation: 'none' } as const),
}
const record = {
  id: '7d0c7fd1-3f3c-4b39-9a7e-0c7a5dc1a5a0',
  duration_seconds: 12.3,
  transcript: [],
  credit_used: '0.01',
}

test('the end of a conversation is explained, with a summary of its record', () => {
  const ending = after({ type: 'started', mode: 'text' }, { type: 'ending', reason: 'drained', deadline_ms: 30_000 })
  expect(ending.outcome).toBe('The server is being restarted. Start again. The conversation ends in 30 s.')
  const ended = [ending, { type: 'ended', reason: 'user_disconnected' }, { type: 'kept', record }] as const
  expect(nextTalkState(nextTalkState(ended[0], ended[1]), ended[2]).outcome).toBe(
    'You hung up. 12 s, 0 messages kept, 0.01 credit used.',
  )
})

test('the turns of a conversation stay until the next one starts', () => {
  const over = after(
    { type: 'started', mode: 'automatic' },
    { type: 'measured', turn },
    { type: 'ended', reason: 'silence_timeout' },
  )
  expect(over.turns).toEqual([turn])
  expect(nextTalkState(over, { type: 'started', mode: 'automatic' })).toMatchObject({ turns: [], outcome: '' })
})
