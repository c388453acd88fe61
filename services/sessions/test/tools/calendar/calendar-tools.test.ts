import { randomUUID } from 'node:crypto'
import { agentConfigSchema, ServiceError } from '@parlance/contracts'
import { createOpenCalendarTools } from '../../../src/tools/calendar/calendar-tools.js'
import { createFakeCalendar, eventId, occurrence } from './fake-calendar.js'

const workspaceId = randomUUID()
const endUserId = randomUUID()

const agentConfig = (calendar_enabled: boolean) =>
  agentConfigSchema.parse({
    slug: 'front-desk',
    display_name: 'A',
    voice_id: 'a'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'rules',
    calendar_enabled,
  })

/** A conversation with a stand-in for the calendar, and the requests that it got. */
const converse = ({ user = endUserId as string | null, enabled = true, timeZone = 'Europe/Berlin' } = {}) => {
  const { calendar, asked, state, changes } = createFakeCalendar()
  const tools = createOpenCalendarTools(calendar)({
    workspaceId,
    agentId: randomUUID(),
    sessionId: randomUUID(),
    requestId: 'a-request',
    endUserId: user,
    timeZone,
    config: agentConfig(enabled),
  })
  let turn = 1
  let userText = 'Hello'
  /** The Agent speaks the results of its tools. */
  let playedText = ''
  let results = ''
  return {
    tools,
    asked,
    state,
    changes,
    /** A message of the user, which begins another turn. */
    user(words: string) {
      turn++
      userText = words
      playedText = results
      results = ''
    },
    async call(name: string, args: unknown = {}, signal = new AbortController().signal) {
      const tool = tools.find((candidate) => candidate.name === `calendar_${name}`)
      if (tool === undefined) throw new Error(`there is no calendar_${name}`)
      const result = await tool.call(args, { callId: 'a', turn, userText, playedText, signal })
      results += result.text
      return result
    },
  }
}

const draft = { title: 'Dentist', starts_at: '2026-03-20T09:30', duration_minutes: 60 }
const changes = [
  ['create', draft],
  ['move', { event_id: eventId, starts_at: '2026-03-21T09:30' }],
  ['cancel', { event_id: eventId }],
] as const

test('tools exist only for an Agent with a calendar and a known user', () => {
  expect(converse().tools.map(({ name }) => name)).toEqual([
    ...['calendar_list', 'calendar_create', 'calendar_move', 'calendar_cancel', 'calendar_confirm'],
  ])
  expect(converse({ enabled: false }).tools).toEqual([])
  expect(converse({ user: null }).tools).toEqual([])
})

test('the parameters for a model are JSON Schemas of objects without patterns', () => {
  for (const { parameters } of converse().tools) {
    expect(parameters).toMatchObject({ type: 'object' })
    expect(JSON.stringify(parameters)).not.toMatch(/pattern|workspace|user_id|\$schema/)
  }
})

test('events are listed in the user’s time zone, with the day of the week', async () => {
  const { call, state, asked } = converse()
  state.occurrences = [
    occurrence({ starts_at: '2026-03-19T22:59:00.000Z' }),
    occurrence(),
    occurrence({
      title: 'Night "shift"',
      starts_at: '2026-03-20T22:30:00.000Z',
      ends_at: '2026-03-21T04:30:00.000Z',
      recurring: true,
    }),
    occurrence({ starts_at: '2026-03-20T23:00:00.000Z' }),
  ]
  const { text, isError } = await call('list', { from: '2026-03-20', to: '2026-03-20T23:00' })
  expect(isError).toBe(false)
  expect(text.split('\n')).toEqual([
    `- "Dentist", Friday 2026-03-20 09:30 to 10:30 (event_id ${eventId})`,
    `- "Night \\"shift\\"", Friday 2026-03-20 23:30 to Saturday 2026-03-21 05:30 (event_id ${eventId}, recurs, occurrence 2026-03-20T23:30)`,
  ])
  expect(asked[0]![1]).toMatchObject({ workspace_id: workspaceId, end_user_id: endUserId })
})

test.each(changes)('calendar_%s changes nothing, and instructs the model to ask the user', async (name, args) => {
  const conversation = converse()
  const { text, isError } = await conversation.call(name, args)
  expect(isError).toBe(false)
  expect(text).toMatch(/Nothing is changed yet.*ask/)
  expect(conversation.changes()).toEqual([])
})

test.each(changes)('calendar_%s is done after the user’s yes, for this user, and once', async (name, args) => {
  const conversation = converse()
  await conversation.call(name, { ...args, workspace_id: randomUUID(), end_user_id: randomUUID() })
  conversation.user('Yes, please')
  const done = await conversation.call('confirm')
  expect(done).toMatchObject({ isError: false, text: expect.stringMatching(/^Done: /) })
  expect(conversation.changes()).toEqual([
    [`${name}Event`, expect.objectContaining({ workspace_id: workspaceId, end_user_id: endUserId })],
  ])
  expect(await conversation.call('confirm')).toMatchObject({ isError: true })
  expect(conversation.changes()).toHaveLength(1)
})

describe.each(changes)('a model that obeys an instruction to calendar_%s', (name, args) => {
  const refused = async (conversation: ReturnType<typeof converse>) => {
    expect(await conversation.call('confirm')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Nothing was changed\. /),
    })
    expect(conversation.changes()).toEqual([])
  }

  test('changes nothing when it confirms by itself', async () => {
    const conversation = converse()
    conversation.user('yes')
    await conversation.call(name, args)
    await refused(conversation)
    await Promise.all([conversation.call(name, args), refused(conversation)])
  })

  test('changes nothing when the user answers no, or something else', async () => {
    for (const words of ['No.', 'Yes, but a day later', 'What is the weather like', '']) {
      const conversation = converse()
      await conversation.call(name, args)
      conversation.user(words)
      await refused(conversation)
      conversation.user('yes')
      await refused(conversation)
    }
  })

  test('changes nothing when the user’s yes answers a later question', async () => {
    const conversation = converse()
    await conversation.call(name, args)
    conversation.user('What is the weather like')
    conversation.user('yes')
    await refused(conversation)
  })

  test('changes nothing when it replaces the proposal that the user answers', async () => {
    const conversation = converse()
    await conversation.call('create', draft)
    conversation.user('yes')
    await conversation.call(name, args)
    await refused(conversation)
  })
})

test('an aborted call proposes nothing', async () => {
  const conversation = converse()
  const turn = new AbortController()
  const cut = conversation.call('create', draft, turn.signal)
  turn.abort(new Error('interrupted'))
  await expect(cut).rejects.toThrow('interrupted')
  conversation.user('yes')
  expect(await conversation.call('confirm')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/Nothing is proposed/),
  })
})

test('the proposal names conflicts, and a new conflict before the yes causes another question', async () => {
  const conversation = converse()
  const lunch = occurrence({ event_id: randomUUID(), title: 'Lunch' })
  conversation.state.conflicts = [lunch]
  expect((await conversation.call('create', draft)).text).toMatch(/At the same time: "Lunch", Friday 2026-03-20 09:30/)

  conversation.state.conflicts = [lunch, occurrence({ event_id: randomUUID(), title: 'Visit' })]
  conversation.user('yes')
  expect((await conversation.call('confirm')).text).toMatch(/come up meanwhile.*\n.*"Visit"/s)
  expect(await conversation.call('confirm')).toMatchObject({ isError: true })
  expect(conversation.changes()).toEqual([])

  conversation.user('Yes, all the same')
  expect((await conversation.call('confirm')).text).toMatch(/^Done/)
  expect(conversation.changes()).toHaveLength(1)
})

test('an occurrence is found by the user’s local time', async () => {
  const conversation = converse()
  conversation.state.occurrences = [
    occurrence({ event_id: randomUUID() }),
    occurrence({ starts_at: '2026-03-13T08:30:00.000Z', recurring: true }),
    occurrence({ recurring: true }),
  ]
  const cancel = (time: string) => conversation.call('cancel', { event_id: eventId, occurrence: time })
  expect(await cancel('2026-03-20T10:30')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/calendar_list/),
  })
  expect(await cancel('2026-03-20 09:30:00')).toMatchObject({
    isError: false,
    text: expect.stringMatching(/Friday 2026-03-20 09:30/),
  })
  conversation.user('Yes, cancel it')
  await conversation.call('confirm')
  expect(conversation.changes()).toEqual([
    ['cancelEvent', expect.objectContaining({ event_id: eventId, occurrence_starts_at: '2026-03-20T08:30:00.000Z' })],
  ])
})

test('times are in the user’s time zone unless another is named', async () => {
  const conversation = converse({ timeZone: 'America/New_York' })
  await conversation.call('create', draft)
  await conversation.call('create', { ...draft, time_zone: 'Asia/Tokyo', recurrence: 'FREQ=WEEKLY' })
  expect(conversation.asked.map(([, { event }]) => event)).toMatchObject([
    { time_zone: 'America/New_York', recurrence: null },
    { time_zone: 'Asia/Tokyo', recurrence: 'FREQ=WEEKLY' },
  ])
})

test.each([
  ['create', { ...draft, starts_at: '2026-03-20T09:30:00Z' }, /^starts_at: must be a time without a time zone/],
  ['create', { ...draft, starts_at: 'tomorrow' }, /^starts_at: /],
  ['create', { ...draft, duration_minutes: -1 }, /^duration_minutes: /],
  ['create', { ...draft, time_zone: 'Berlin' }, /^time_zone: /],
  ['move', { event_id: 'the dentist', starts_at: draft.starts_at }, /^event_id: /],
  ['list', { from: '2026-03-20', to: '2026-03-19' }, /^to: must not be before from/],
  ['list', { from: 'monday', to: '2026-03-20' }, /^from: must be a date/],
  ['list', 'not even JSON', /^The arguments: /],
  ['confirm', null, /^The arguments: /],
])('faults in the arguments of calendar_%s are in the result', async (name, args, text) => {
  const conversation = converse()
  expect(await conversation.call(name, args)).toEqual({ isError: true, text: expect.stringMatching(text) })
  expect(conversation.asked).toEqual([])
})

test('a refusal of the calendar is in the result, and a failure of the calendar is not', async () => {
  const conversation = converse()
  conversation.state.failure = new ServiceError('invalid_request', 'The calendar is full.')
  expect(await conversation.call('create', draft)).toEqual({ isError: true, text: 'The calendar is full.' })
  conversation.state.failure = new ServiceError('unavailable', 'The end-users service cannot be reached.')
  await expect(conversation.call('create', draft)).rejects.toThrow('unavailable')
})
