import { ServiceError, type SessionMessage, type SessionToolCall } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { createSessionJournal } from '../../src/records/session-journal.js'
import type { SessionRepository, SessionState } from '../../src/records/session-repository.js'
import type { SessionAdditions } from '../../src/records/transcript-repository.js'

const open = (storeTranscript = true) => {
  const writes: (SessionAdditions & { state: SessionState })[] = []
  const state = { failures: 0, busy: 0, maxBusy: 0 }
  const sessions: Pick<SessionRepository, 'write'> = {
    async write(_workspaceId, _sessionId, written, additions) {
      state.busy += 1
      state.maxBusy = Math.max(state.maxBusy, state.busy)
      await new Promise((resolve) => setTimeout(resolve, 100))
      state.busy -= 1
      if (state.failures > 0) {
        state.failures -= 1
        throw new ServiceError('unavailable', 'Later.')
      }
      writes.push({ state: written, ...additions })
    },
  }
  const journal = createSessionJournal({
    startSpan: () => undefined,
    sessions,
    workspaceId: 'w',
    sessionId: 's',
    storeTranscript,
    creditUsed: () => '0.01',
    logger: createLogger({ level: 'silent' }),
  })
  return { journal, writes, state }
}

const message = (text: string): SessionMessage => ({
  id: text,
  role: 'user',
  text,
  created_at: '2026-01-31T09:30:00.000Z',
  interrupted: false,
})
const toolCall = (name: string): SessionToolCall => ({
  ...{ id: name, message_id: 'm', name, arguments: {}, result: 'Done.', outcome: 'succeeded' },
  ...{ started_at: '2026-01-31T09:30:00.000Z', duration_ms: 5 },
})
const metrics = {
  endpointing_ms: 1,
  stt_ms: 1,
  llm_ttft_ms: 1,
  tts_ttfa_ms: 1,
  voice_to_voice_ms: 1,
  prepared_ms: null,
  speculation: 'none',
} as const
const textsOf = (writes: { messages: SessionAdditions['messages'] }[]) =>
  writes.flatMap(({ messages }) => messages.items.map(({ text }) => text))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('changes that come together are written together, one write at a time', async () => {
  const { journal, writes, state } = open()
  journal.started()
  journal.message(message('a'))
  journal.turn(metrics)
  expect(writes).toEqual([])
  await vi.advanceTimersByTimeAsync(300)
  journal.message(message('b'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(writes.map(({ messages }) => [messages.firstPosition, messages.items.length])).toEqual([
    [0, 1],
    [1, 1],
  ])
  expect(writes[0]!.state).toMatchObject({ status: 'active', endedAt: null, creditUsed: '0.01' })
  expect(writes[1]!.turns).toMatchObject({ firstPosition: 1, items: [] })
  expect(state.maxBusy).toBe(1)
})

test('a failed write is repeated with all its content, at the same positions', async () => {
  const { journal, writes, state } = open()
  state.failures = 3
  journal.message(message('a'))
  await vi.advanceTimersByTimeAsync(400)
  journal.message(message('b'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(textsOf(writes)).toEqual(['a', 'b'])
  expect(writes.map(({ messages }) => messages.firstPosition)).toEqual([0])
})

test('all messages are in the write that ends the record, or in one before', async () => {
  const { journal, writes, state } = open()
  journal.started()
  journal.message(message('a'))
  journal.used({ llm_input_tokens: 3, stt_seconds: 0.5, tts_characters: 77 })
  journal.spoke(5)
  journal.ending('drained')
  state.failures = 2
  const finished = journal.finish({ reason: 'drained', error: null })
  await vi.advanceTimersByTimeAsync(5_000)
  await finished
  expect(textsOf(writes)).toEqual(['a'])
  const last = writes.at(-1)!
  expect(last.state).toMatchObject({ status: 'ended', endReason: 'drained', error: null })
  expect(last.state.usage).toEqual({
    stt_seconds: 0.5,
    llm_input_tokens: 3,
    llm_output_tokens: 0,
    tts_characters: 5,
  })
  expect(last.state.endedAt).not.toBeNull()
})

test('each tool call is written once, and again when its write failed', async () => {
  const { journal, writes, state } = open()
  state.failures = 1
  journal.toolCall(toolCall('a'))
  await vi.advanceTimersByTimeAsync(5_000)
  journal.toolCall(toolCall('b'))
  const finished = journal.finish({ reason: 'api_ended', error: null })
  await vi.advanceTimersByTimeAsync(5_000)
  await finished
  const written = writes.flatMap(({ toolCalls: { firstPosition, items } }) =>
    items.map(({ name }, index) => [firstPosition + index, name]),
  )
  expect(written).toEqual([
    [0, 'a'],
    [1, 'b'],
  ])
})

test('a failure is recorded with its error', async () => {
  const { journal, writes } = open()
  const error = { code: 'upstream_error', detail: 'It broke.' }
  const finished = journal.finish({ reason: 'llm_error', error })
  await vi.advanceTimersByTimeAsync(200)
  await finished
  expect(writes.at(-1)!.state).toMatchObject({ status: 'failed', endReason: 'llm_error', error, startedAt: null })
})

test('a message in progress is written with what was played so far, until it is final', async () => {
  const { journal, writes } = open()
  const inProgress = (text: string): SessionMessage => ({ ...message('a'), text, role: 'agent', interrupted: true })
  journal.progress(inProgress('One'))
  await vi.advanceTimersByTimeAsync(1_000)
  journal.progress(inProgress('One two'))
  await vi.advanceTimersByTimeAsync(1_000)
  journal.progress(inProgress('One two three'))
  journal.message({ ...message('a'), text: 'One two three four.', role: 'agent' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(writes.map(({ messages }) => [messages.firstPosition, messages.inProgress?.text ?? null])).toEqual([
    [0, 'One'],
    [0, 'One two'],
    [0, null],
  ])
  expect(textsOf(writes)).toEqual(['One two three four.'])
})

test('a message in progress is written again only when it has changed, or when its write failed', async () => {
  const { journal, writes, state } = open()
  state.failures = 1
  journal.progress({ ...message('a'), role: 'agent', interrupted: true })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(writes.map(({ messages }) => messages.inProgress?.id)).toEqual(['a'])
  journal.turn(metrics)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(writes.map(({ messages }) => messages.inProgress?.id)).toEqual(['a', undefined])
})

test('an end that cannot be written is dropped after half a minute', async () => {
  const { journal, writes, state } = open()
  state.failures = 1_000
  const finished = journal.finish({ reason: 'api_ended', error: null })
  await vi.advanceTimersByTimeAsync(40_000)
  await finished
  expect(writes).toEqual([])
})

test('messages and tool calls are not kept when the transcript is not stored', async () => {
  const { journal, writes } = open(false)
  journal.progress(message('a secr'))
  journal.message(message('a secret'))
  journal.toolCall(toolCall('secret'))
  journal.turn(metrics)
  const finished = journal.finish({ reason: 'api_ended', error: null })
  await vi.advanceTimersByTimeAsync(500)
  await finished
  expect(textsOf(writes)).toEqual([])
  expect(writes.some(({ messages }) => messages.inProgress !== null)).toBe(false)
  expect(writes.flatMap(({ toolCalls }) => toolCalls.items)).toEqual([])
  expect(writes.flatMap(({ turns }) => turns.items)).toHaveLength(1)
})
