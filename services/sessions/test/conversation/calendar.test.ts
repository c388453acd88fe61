/** The calendar in conversations: a change is proposed aloud, and made after the user's own yes. */
import { randomUUID } from 'node:crypto'
import { agentConfigSchema, type EventDraft } from '@parlance/contracts'
import type { CalendarClient } from '../../src/tools/calendar/calendar-reader.js'
import { createOpenCalendarTools } from '../../src/tools/calendar/calendar-tools.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

/** A calendar that is free, and remembers what was put into it. */
const openCalendar = () => {
  const created: EventDraft[] = []
  const calendar = {
    planEvent: async ({ event }: { event: EventDraft }) => ({
      title: event.title,
      starts_at: '2027-03-29T07:30:00.000Z',
      ends_at: '2027-03-29T08:30:00.000Z',
      time_zone: event.time_zone,
      recurring: false,
      conflicts: [],
    }),
    createEvent: async ({ event }: { event: EventDraft }) => {
      created.push(event)
      return { id: randomUUID(), ...event, created_at: '2026-11-21T09:00:00.000Z' }
    },
  } as unknown as CalendarClient
  const tools = createOpenCalendarTools(calendar)({
    agentId: randomUUID(),
    sessionId: randomUUID(),
    workspaceId: randomUUID(),
    endUserId: randomUUID(),
    requestId: 'request-1',
    timeZone: 'Europe/Berlin',
    config: agentConfigSchema.parse({
      slug: 'front-desk',
      display_name: 'Front desk',
      voice_id: '0'.repeat(32),
      llm_provider: 'builtin',
      llm_model: 'rules',
      calendar_enabled: true,
    }),
  })
  return { created, tools }
}

/** Nine thirty on the morning after clocks were put forward. */
const dentist = { title: 'Dentist', starts_at: '2027-03-29T09:30', duration_minutes: 60 }
const create = { calls: [['calendar_create', dentist]] as [string, unknown][] }
const confirm = { calls: ['calendar_confirm'] }

const book = (question: string, answer: string) => {
  const { created, tools } = openCalendar()
  const talk = conversation({ tools })
    .ready()
    .replies(create, question, confirm, 'As you wish.')
    .types('Book the dentist for Monday at half past nine.')
    .agent()
    .look(() => expect(created).toEqual([]))
    .agentIsDone()
    .user(answer)
    .agent()
    .agentIsDone()
  return { created, talk }
}

test('an event is created after the yes of the user, at that local time, also across a change of clocks', async () => {
  const { created, talk } = book('The dentist on Monday at nine thirty. Shall I book it?', 'Yes, please.')
  const { answers } = await talk.run()
  expect(created).toEqual([{ ...dentist, time_zone: 'Europe/Berlin', recurrence: null }])
  expect(answers().at(-1)).toMatch(/^calendar_confirm: Done: New event "Dentist", Monday 2027-03-29 09:30 to 10:30/)
})

test.each([
  ['a no', 'The dentist on Monday at nine thirty. Shall I book it?', 'No, wait.'],
  ['a yes to another question', 'Do you like this voice?', 'Yes, please.'],
])('nothing is made with %s, whatever the model calls', async (_what, question, answer) => {
  const { created, talk } = book(question, answer)
  const { answers } = await talk.run()
  expect(created).toEqual([])
  expect(answers().at(-1)).toMatch(/^calendar_confirm: Nothing was changed/)
})

test('a question that was interrupted before it named the event does not count as asked', async () => {
  const { created, tools } = openCalendar()
  const talk = await conversation({ tools })
    .ready()
    .replies(
      create,
      'All right then, let me read that back to you once: it would be the dentist on Monday.',
      confirm,
      'I see.',
    )
    .types('Book the dentist for Monday at half past nine.')
    .agent()
    .interruptAfter(500)
    .user('Yes, please.')
    .agent()
    .agentIsDone()
    .run()
  expect(created).toEqual([])
  expect(talk.answers().at(-1)).toMatch(/^calendar_confirm: Nothing was changed/)
})
