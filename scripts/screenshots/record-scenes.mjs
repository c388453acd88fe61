// The scenes of the pages that read: conversations, voices, avatars, usage and credit.
import { at, failed, id, longName, rightToLeft, signedInAs } from './answers.mjs'

const agents = [
  { id: id(1), display_name: 'Front desk' },
  { id: id(2), display_name: rightToLeft },
  { id: id(3), display_name: longName },
]
const keys = [
  { id: id(1), label: 'Web site' },
  { id: id(2), label: longName },
]
const pageOf = (name, items, next_cursor = null) => ({ body: { [name]: items, next_cursor } })
const signedIn = (role = 'owner') => ({
  ...signedInAs(role),
  '/dashboard/api/v1/agents': pageOf('agents', agents),
  '/dashboard/api/keys': { body: { keys } },
})

const conversation = (number, more = {}) => ({
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
  metadata: { page: '/pool', campaign: 'autumn' },
  ...more,
})
const live = { status: 'active', end_reason: null, ended_at: null, latency: null }
const broken = {
  status: 'failed',
  end_reason: 'llm_error',
  error: { code: 'upstream_error', detail: 'The language model answered with the status 529 five times.' },
}
const conversations = [
  conversation(0, live),
  conversation(1),
  conversation(2, broken),
  ...[3, 4, 5, 6, 7, 8].map((number) => conversation(number, { end_reason: 'silence_timeout' })),
]
const list = '/dashboard/api/v1/agent-sessions'
const withList = (answer, role) => ({ ...signedIn(role), [list]: answer })

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
    sources: [{ title: 'Opening hours of the pool', url: 'https://example.com/pool' }],
  }),
  message(4, 'user', rightToLeft),
  message(5, 'agent', 'One moment, I am looking for', { interrupted: true }),
  message(6, 'user', 'Never mind. Thank you!'),
  message(7, 'agent', 'You are welcome.'),
]
const turn = (endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms) => ({
  ...{ endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms },
})
const turns = [turn(512, 84, 340, 96, 1130), turn(604, 120, 780, 110, 1890), turn(null, null, 310, 88, null)]
const shown = `${list}/${id(101)}`
const withConversation = (record, said = messages) => ({
  ...withList(pageOf('sessions', conversations)),
  [shown]: record,
  [`${shown}/messages`]: pageOf('messages', said),
  [`/dashboard/api/agent-sessions/${id(101)}/turns`]: pageOf('turns', turns),
})
const conversationPath = `/conversations/${id(101)}`
const recordOf = (more) => ({ body: { ...conversation(1, more), transcript: messages } })

const voice = (number, display_name, languages, more = {}) => ({
  id: String(number).padStart(32, '0'),
  display_name,
  description: 'A calm voice for long texts.',
  languages,
  gender: 'female',
  tags: ['calm', 'warm'],
  status: 'available',
  license: 'CC0-1.0',
  variants: [{ id: 'standard', display_name: 'Standard', credit_per_1k_characters: '0.015' }],
  ...more,
})
const voices = [
  voice(1, 'Ada', ['en', 'en-GB']),
  voice(2, longName, ['de'], { tags: ['slow', 'deep'], license: 'Creative Commons Attribution-ShareAlike 4.0' }),
  voice(3, rightToLeft, ['ar']),
  ...Array.from({ length: 120 }, (_, index) => voice(index + 4, `Voice ${index + 1}`, ['fr'])),
]
const withVoices = (answer) => ({ ...signedIn(), '/dashboard/api/v1/voices': answer })

const avatar = (number, name, display_name) => ({
  id: id(number),
  display_name,
  thumbnail_url: `/assets/avatars/${name}.webp`,
  license: 'CC0-1.0',
  asset: { size_bytes: 2_345_120 },
})
const avatars = [
  avatar(1, 'mira', 'Mira'),
  avatar(2, 'jonas', longName),
  avatar(3, 'amara', rightToLeft),
  avatar(4, 'victor', 'Victor'),
]
const withAvatars = (answer) => ({ ...signedIn(), '/dashboard/api/v1/avatars': answer })

const group = (key, credit_used) => ({
  ...{ key, credit_used, operations: 1234 },
  ...{
    tts_characters: 45_678,
    session_seconds: 7_384,
    stt_seconds: 12,
    llm_input_tokens: 210_000,
    llm_output_tokens: 4,
  },
})
const byDay = Array.from({ length: 30 }, (_, index) => group(at(29 - index).slice(0, 10), `${(index * 7) % 11}.25`))
const usage = {
  day: byDay.filter((_, index) => index % 6 !== 2),
  agent: [group(id(1), '91.5'), group(id(2), '42'), group(id(3), '12.25'), group(id(9), '1'), group(null, '0.0000312')],
  api_key: [group(id(1), '100.1'), group(id(2), '30'), group(id(8), '7.0312'), group(null, '1')],
  kind: [group('session', '120'), group('stt', '6.75'), group('tts', '19.5')],
}
const credit = (balance, reserved = '0.10') => ({ body: { balance, reserved, unit: 'credit', updated_at: at(0) } })
const withUsage = (balance, reports = usage, role = 'owner') => ({
  ...signedIn(role),
  '/dashboard/api/v1/credit': balance,
  '/dashboard/api/v1/usage': (query) =>
    reports === 'pending'
      ? reports
      : { body: { group_by: query.get('group_by'), usage: reports[query.get('group_by')] } },
})
const nothing = { day: [], agent: [], api_key: [], kind: [] }
const drawn = (page) => page.getByRole('img', { name: 'Credit used on each day' }).waitFor()
const openTab = (name) => async (page) => {
  await drawn(page)
  await page.getByRole('tab', { name }).click()
}
const scrollDown = async (page) => {
  await drawn(page)
  await page.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView())
}

export const recordScenes = [
  {
    name: 'conversations',
    path: '/conversations',
    answers: withList(pageOf('sessions', conversations, 'next')),
  },
  { name: 'conversations-empty', path: '/conversations', answers: withList(pageOf('sessions', [])) },
  {
    name: 'conversations-no-match',
    path: `/conversations?status=failed&agent=${id(1)}&from=2026-01-01`,
    answers: withList(pageOf('sessions', [])),
  },
  { name: 'conversations-loading', path: '/conversations', answers: withList('pending') },
  { name: 'conversations-failed', path: '/conversations', answers: withList(failed) },
  { name: 'conversation', path: conversationPath, answers: withConversation(recordOf()) },
  { name: 'conversation-broken', path: conversationPath, answers: withConversation(recordOf(broken)) },
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
  { name: 'voices', path: '/voices', answers: withVoices(pageOf('voices', voices)) },
  {
    name: 'voices-filtered',
    path: '/voices',
    answers: withVoices(pageOf('voices', voices)),
    async act(page) {
      await page.getByRole('combobox', { name: 'Language' }).click()
      await page.getByRole('option', { name: 'German' }).click()
    },
  },
  { name: 'voices-empty', path: '/voices', answers: withVoices(pageOf('voices', [])) },
  { name: 'voices-loading', path: '/voices', answers: withVoices('pending') },
  { name: 'avatars', path: '/avatars', answers: withAvatars(pageOf('avatars', avatars)) },
  { name: 'avatars-empty', path: '/avatars', answers: withAvatars(pageOf('avatars', [])) },
  { name: 'usage', path: '/usage', answers: withUsage(credit('1234.5')), act: drawn },
  { name: 'usage-by-agent', path: '/usage', answers: withUsage(credit('1234.5')), act: scrollDown },
  { name: 'usage-by-key', path: '/usage', answers: withUsage(credit('1234.5')), act: openTab('By API key') },
  { name: 'usage-low', path: '/usage', answers: withUsage(credit('12.4')), act: drawn },
  { name: 'usage-exhausted', path: '/usage', answers: withUsage(credit('0.10')), act: drawn },
  { name: 'usage-empty', path: '/usage', answers: withUsage(credit('100', '0'), nothing) },
  { name: 'usage-loading', path: '/usage', answers: withUsage(credit('1234.5'), 'pending') },
]
