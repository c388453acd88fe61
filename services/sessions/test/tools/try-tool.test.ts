import { randomUUID } from 'node:crypto'
import { agentConfigSchema, ServiceError } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { createOpenCalendarTools } from '../../src/tools/calendar/calendar-tools.js'
import { createTryTool } from '../../src/tools/try-tool.js'
import { createFakeCalendar, occurrence } from './calendar/fake-calendar.js'

const owner = { workspace_id: randomUUID(), end_user_id: randomUUID() }
const dentist = { title: 'Dentist', starts_at: '2026-03-20T09:30', duration_minutes: 60 }

/** A person in Berlin who tries the calendar of an Agent that speaks this language. */
const trial = ({ language = 'en', calendar_enabled = true } = {}) => {
  const fake = createFakeCalendar()
  const tryTool = createTryTool({
    openTools: createOpenCalendarTools(fake.calendar),
    openMcpTools: async () => ({ tools: [], failures: [], close: async () => {} }),
    logger: createLogger({ level: 'silent' }),
  })
  const config = agentConfigSchema.parse({
    ...{ slug: 'front-desk', display_name: 'A', voice_id: 'a'.repeat(32), llm_provider: 'builtin', llm_model: 'rules' },
    ...{ calendar_enabled, stt_config: { language } },
  })
  return {
    ...fake,
    call: (name: string, args: object, confirmed = false, signal = new AbortController().signal) =>
      tryTool({
        ...{
          workspaceId: owner.workspace_id,
          agentId: randomUUID(),
          personId: owner.end_user_id,
          requestId: 'a-request',
        },
        ...{ config, name, arguments: args, timeZone: 'Europe/Berlin', confirmed, signal },
      }),
  }
}

test('the person’s own events are listed on the person’s clock, with the time that it took', async () => {
  const { call, asked } = trial()
  expect(await call('calendar_list', { from: '2026-03-20', to: '2026-03-20' })).toEqual({
    outcome: 'succeeded',
    result: expect.stringMatching(/^- "Dentist", Friday 2026-03-20 09:30 to 10:30/),
    duration_ms: expect.any(Number),
  })
  expect(asked).toEqual([['listOccurrences', expect.objectContaining(owner)]])
})

test('an appointment is only proposed, with what else takes place, until it is confirmed', async () => {
  const { call, changes, state } = trial()
  state.conflicts = [occurrence({ event_id: randomUUID(), title: 'Lunch' })]
  const { outcome, result } = await call('calendar_create', dentist)
  expect(outcome).toBe('succeeded')
  expect(result).toMatch(/^Nothing is changed yet.*\nNew event "Dentist".*At the same time: "Lunch"/s)
  expect(changes()).toEqual([])
})

test.each(['en', 'de-AT', 'fr', 'es', 'zh', 'ja', 'pt'])(
  'a confirmed appointment is made once, for the person alone, with an Agent that speaks %s',
  async (language) => {
    const { call, changes } = trial({ language })
    expect(await call('calendar_create', { ...dentist, end_user_id: randomUUID() }, true)).toMatchObject({
      ...{ outcome: 'succeeded', result: expect.stringMatching(/^Done: New event "Dentist"/) },
    })
    const event = { ...dentist, time_zone: 'Europe/Berlin', recurrence: null }
    expect(changes()).toEqual([['createEvent', { ...owner, event }]])
  },
)

test('an appointment that cannot be proposed is not created, and the result is the reason', async () => {
  const { call, changes, state } = trial()
  const past = await call('calendar_create', { ...dentist, starts_at: 'tomorrow' }, true)
  expect(past).toMatchObject({ outcome: 'failed', result: expect.stringMatching(/^starts_at: must be a time/) })
  state.failure = new ServiceError('invalid_request', 'The calendar is full.')
  expect(await call('calendar_create', dentist, true)).toMatchObject({
    ...{ outcome: 'failed', result: 'The calendar is full.' },
  })
  state.failure = new ServiceError('unavailable', 'The end-users service cannot be reached at 10.0.0.7.')
  expect(await call('calendar_create', dentist, true)).toMatchObject({ outcome: 'failed', result: 'The tool failed.' })
  expect(changes()).toEqual([])
})

test('an Agent without a calendar has no such tool, and an aborted call creates nothing', async () => {
  const without = trial({ calendar_enabled: false })
  expect(await without.call('calendar_create', dentist, true)).toMatchObject({ result: 'There is no such tool.' })
  const { call, changes } = trial()
  const ended = call('calendar_create', dentist, true, AbortSignal.abort(new Error('the member left')))
  await expect(ended).rejects.toThrow('the member left')
  expect(changes()).toEqual([])
})
