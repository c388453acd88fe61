// The scenes of conversations.
import { createOggOpusEncoder } from '@parlance/audio/encoding'
import { at, failed, id, longName, rightToLeft } from './answers.mjs'
import { pageOf, signedIn } from './record-answers.mjs'

export const conversation = (number, more = {}) => ({
  id: id(100 + number),
  agent_id: id((number % 4) + 1),
  publication: { id: id(7), version: 3 },
  end_user_id: null,
  status: 'ended',
  transport: 'webrtc',
  input_mode: 'automatic',
  created_at: at(number / 9),
  started_at: at(number / 9),
  ended_at: at(number / 9),
  duration_seconds: 31 * number,
  end_reason: 'user_disconnected',
  error: null,
  usage: { stt_seconds: 31.2, llm_input_tokens: 2100, llm_output_tokens: 340, tts_characters: 1210 },
  credit_used: `0.0${number}12`,
  latency: { voice_to_voice_ms: { p50: 780 + number, p95: 1240 } },
  feedback: null,
  metadata: { page: '/pool', campaign: 'autumn' },
  ...more,
})
const live = { status: 'active', end_reason: null, ended_at: null, latency: null }
const broken = {
  status: 'failed',
  end_reason: 'llm_error',
  error: { code: 'upstream_error', detail: 'The language model answered with the status 529 five times.' },
}
export const conversations = [
  conversation(0, live),
  conversation(1),
  conversation(2, broken),
  ...[3, 4, 5, 6, 7, 8].map((number) => conversation(number, { end_reason: 'silence_timeout' })),
]
export const withList = (answer, role) => ({ ...signedIn(role), '/dashboard/api/agent-sessions': answer })

const message = (number, role, text, more = {}) => ({
  id: id(number),
  role,
  text,
  created_at: at(0.1 - number / 10_000),
  interrupted: false,
  ...more,
})
const messages = [
  message(1, 'agent', 'Hello, this is the front desk. How can I help?'),
  message(2, 'user', 'Is the pool open tomorrow?'),
  message(3, 'agent', `${longName} says: it opens at seven, and closes at ten in the evening.`, {
    sources: [
      { title: 'guests.pdf, page 12', file_id: id(1), passage: `The pool opens at seven. ${longName}\n${rightToLeft}` },
      { title: 'Opening hours of the pool', url: 'https://example.com/pool' },
    ],
  }),
  message(4, 'user', rightToLeft),
  message(5, 'agent', 'One moment, I am looking for', { interrupted: true }),
  message(6, 'user', 'Never mind. Thank you!'),
  message(7, 'agent', 'You are welcome.'),
]
const turn = (endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms, prepared_ms, speculation) => ({
  ...{ endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms, prepared_ms, speculation },
})
const turns = [
  turn(512, 84, 340, 96, 738, 420, 'hit'),
  turn(604, 120, 780, 110, 1890, null, 'miss'),
  turn(null, null, 310, 88, null, null, 'none'),
]
const call = (number, message, name, outcome, args, result) => ({
  ...{ id: id(number), message_id: id(message), name, arguments: args, result, outcome },
  ...{ started_at: at(0.1 - 0.00035), duration_ms: outcome === 'succeeded' ? 412.4 : 8_004 },
})
const toolCalls = [
  call(
    901,
    3,
    'find_opening_hours',
    'succeeded',
    { place: 'pool', day: '2026-03-21' },
    '{"opens":"07:00","closes":"22:00"}',
  ),
  call(
    902,
    3,
    'find_the_office_for_complaints_compliments_and_lost_umbrellas',
    'failed',
    { text: rightToLeft },
    'The tool did not answer within 8000 ms.',
  ),
  call(903, 5, 'find_order', 'interrupted', {}, null),
]
const analysis = {
  ...{ status: 'succeeded', error: null, analyzed_at: at(0) },
  criteria: [
    { name: 'Answered', result: 'success', reason: 'The Agent named the opening hours of the pool.' },
    { name: longName, result: 'failure', reason: rightToLeft },
    { name: 'Booked', result: 'unknown', reason: 'Nothing was to be booked.' },
  ],
  data: [
    { name: 'Place', value: 'Pool' },
    { name: 'Guests', value: null },
    { name: 'Wants a call back', value: false },
  ],
}
const shown = `/dashboard/api/v1/agent-sessions/${id(101)}`
const recordingPath = `/dashboard/api/agent-sessions/${id(101)}/recording`
const withConversation = (record, said = messages) => ({
  ...withList(pageOf('sessions', conversations)),
  [shown]: record,
  [`${shown}/messages`]: pageOf('messages', said),
  [`/dashboard/api/agent-sessions/${id(101)}/turns`]: pageOf('turns', turns),
  [`/dashboard/api/agent-sessions/${id(101)}/tool-calls`]: pageOf('tool_calls', toolCalls),
  [`/dashboard/api/agent-sessions/${id(101)}/analysis`]: { body: { analysis } },
  [recordingPath]: { body: { recording: null } },
})
const encoder = createOggOpusEncoder({ sampleRateHz: 24_000, bitRate: 40_000, channels: 2 })
const audio = Buffer.concat([encoder.encode(new Int16Array(2 * 24_000 * 31)), encoder.finish()])
const recording = (more = {}) => ({
  ...{
    state: 'stored',
    started_at: at(0.1),
    duration_ms: 31_000,
    size_bytes: 140_000,
    expires_at: at(-30),
    failure: null,
  },
  positions: messages.map((message, index) => ({ message_id: message.id, start_ms: 400 + 4_300 * index })),
  ...more,
})
const withRecording = (more) => ({
  ...withConversation(recordOf()),
  [recordingPath]: { body: { recording: recording(more) } },
  [`${recordingPath}/audio`]: { bytes: audio, type: 'audio/ogg' },
})
const playThird = (page) =>
  page
    .getByRole('button', { name: /^Play from/ })
    .nth(2)
    .click()
const conversationPath = `/conversations/${id(101)}`
const feedback = { score: -1, comment: `It did not know ${longName}.`, created_at: at(0) }
const recordOf = (more) => ({ body: { ...conversation(1, { feedback, ...more }), transcript: messages } })

/** The Agent speaks its next message. */
const whileLive = {
  ...withConversation(recordOf(live), messages.slice(0, 4)),
  [`/dashboard/api/agent-sessions/${id(101)}/analysis`]: { body: { analysis: null } },
  [`/dashboard/api/agent-sessions/${id(101)}/progress`]: {
    body: { session: conversation(1, live), final_messages: 4, in_progress: messages[4] },
  },
}

/** Runs in the page: the audio of a live conversation, in which both sides have a tone, never ends. */
const liveAudio = () => {
  const { fetch } = globalThis
  const samples = Int16Array.from({ length: 4_800 }, (_, at) => (at % 2 === 0 ? 6_000 : 20_000) * Math.sin(at / 9))
  const audio_base64 = btoa(String.fromCharCode(...new Uint8Array(samples.buffer)))
  const encoder = new TextEncoder()
  const pieceOf = (at_ms) => encoder.encode(`${JSON.stringify({ at_ms, audio_base64 })}\n`)
  const body = () => {
    let atMs = 0
    return new ReadableStream({
      start(controller) {
        setInterval(() => {
          controller.enqueue(pieceOf(atMs))
          // A second was left out.
          atMs += atMs === 100 ? 1_100 : 100
        }, 100)
      },
    })
  }
  globalThis.fetch = (request, ...rest) =>
    request.url?.endsWith('/listen') ? Promise.resolve(new Response(body())) : fetch(request, ...rest)
}
const listen = (page) => page.getByRole('button', { name: 'Listen' }).click()

export const recordScenes = [
  { name: 'conversation', path: conversationPath, answers: withConversation(recordOf()) },
  { name: 'conversation-loading', path: conversationPath, answers: withConversation('pending') },
  { name: 'conversation-failed', path: conversationPath, answers: withConversation(failed) },
  {
    name: 'conversation-recording-failed',
    path: conversationPath,
    answers: { ...withConversation(recordOf()), [recordingPath]: failed },
  },
  {
    name: 'conversation-outdated',
    path: conversationPath,
    answers: { ...whileLive, [`/dashboard/api/agent-sessions/${id(101)}/progress`]: failed },
    act: (page) => page.getByText('Not up to date.').waitFor(),
  },
  {
    name: 'conversation-tools',
    path: conversationPath,
    answers: withConversation(recordOf()),
    act: (page) =>
      page.locator('summary').evaluateAll((calls) => {
        for (const call of calls) call.click()
        calls[0].closest('li').scrollIntoView()
      }),
  },
  {
    name: 'conversation-broken',
    path: conversationPath,
    answers: {
      ...withConversation(recordOf(broken)),
      [`/dashboard/api/agent-sessions/${id(101)}/analysis`]: {
        body: { analysis: { ...analysis, status: 'failed', error: 'The language model failed. Try again.' } },
      },
    },
  },
  { name: 'conversation-live', path: conversationPath, answers: whileLive },
  {
    name: 'conversation-end',
    path: conversationPath,
    answers: whileLive,
    act: (page) => page.getByRole('button', { name: 'End', exact: true }).click(),
  },
  {
    name: 'conversation-listening',
    path: conversationPath,
    answers: whileLive,
    init: liveAudio,
    act: async (page) => {
      await listen(page)
      await page.getByText('1 s were left out').waitFor()
    },
  },
  {
    name: 'conversation-listen-connecting',
    path: conversationPath,
    answers: { ...whileLive, [`/dashboard/api/agent-sessions/${id(101)}/listen`]: 'pending' },
    act: listen,
  },
  {
    name: 'conversation-listen-refused',
    path: conversationPath,
    answers: {
      ...whileLive,
      [`/dashboard/api/agent-sessions/${id(101)}/listen`]: {
        status: 429,
        body: {
          code: 'concurrency_limited',
          detail: '10 members listen to this conversation. Try again when one has stopped.',
        },
      },
    },
    act: listen,
  },
  { name: 'conversation-recorded', path: conversationPath, answers: withRecording(), act: playThird },
  {
    name: 'conversation-recording-deleted',
    path: conversationPath,
    answers: withRecording({ state: 'deleted', size_bytes: null, positions: [] }),
  },
  { name: 'conversation-not-stored', path: conversationPath, answers: withConversation(recordOf(), []) },
  {
    name: 'conversation-missing',
    path: conversationPath,
    answers: {
      ...signedIn(),
      [shown]: { status: 404, body: { code: 'session_not_found', detail: 'There is no such session.' } },
    },
  },
  {
    name: 'conversation-delete',
    path: conversationPath,
    answers: withConversation(recordOf()),
    act: (page) => page.getByRole('button', { name: 'Delete' }).click(),
  },
]
