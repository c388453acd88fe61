import type { Occurrence } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { type BackgroundRequest, createFetchBackground } from '../../src/live/background.js'

const occurrence = (title: string): Occurrence => ({
  ...{ event_id: 'e', title, starts_at: '2026-11-23T08:30:00.000Z', ends_at: '2026-11-23T09:00:00.000Z' },
  ...{ time_zone: 'Europe/Brussels', recurring: false },
})

const open = (fails: Partial<Record<'memory' | 'calendar', Error>> = {}, occurrences = [occurrence('Dentist')]) => {
  const asked: object[] = []
  const lines: object[] = []
  const fetchBackground = createFetchBackground({
    memory: {
      async recall(request) {
        asked.push(request)
        if (fails.memory) throw fails.memory
        return { facts: [{ id: 'f', text: 'The user likes tea.' }] }
      },
    },
    calendar: {
      async listOccurrences(request) {
        asked.push(request)
        if (fails.calendar) throw fails.calendar
        return { occurrences }
      },
    },
    logger: createLogger({ destination: { write: (line: string) => void lines.push(JSON.parse(line)) } }),
    now: () => new Date('2026-11-21T13:45:30Z'),
  })
  return { asked, lines, fetchBackground }
}

const request: BackgroundRequest = {
  ...{ workspaceId: 'w', agentId: 'a', endUserId: 'u', metadata: { plan: 'gold' }, context: { requestId: 'r' } },
  config: { memory_enabled: true, calendar_enabled: true },
}
const owner = { workspace_id: 'w', end_user_id: 'u' }
const week = { from: '2026-11-21T13:45:30.000Z', to: '2026-11-28T13:45:30.000Z' }

test('what is known is what the Agent remembers of the user, and a week of the calendar, on its own clock', async () => {
  const { asked, fetchBackground } = open()
  const { memories, appointments, metadata } = await fetchBackground(request)
  expect(asked).toEqual([
    { ...owner, agent_id: 'a', token_budget: 800 },
    { ...owner, ...week },
  ])
  expect(memories).toEqual(['The user likes tea.'])
  expect(appointments).toEqual([
    expect.stringMatching(/Monday.*23 November.*09:30.*10:00.*\(Europe\/Brussels\): Dentist$/),
  ])
  expect(metadata).toEqual({ plan: 'gold' })
})

test('a full calendar does not fill the prompt', async () => {
  const { fetchBackground } = open(
    {},
    Array.from({ length: 500 }, () => occurrence('Again')),
  )
  expect((await fetchBackground(request)).appointments).toHaveLength(30)
})

test.each([
  ['neither', false, false, 0],
  ['only memory', true, false, 1],
  ['only a calendar', false, true, 1],
])('a revision that has %s asks for nothing else', async (_what, memory_enabled, calendar_enabled, count) => {
  const { asked, fetchBackground } = open()
  await fetchBackground({ ...request, config: { memory_enabled, calendar_enabled } })
  expect(asked).toHaveLength(count)
})

test('of nobody nothing is asked', async () => {
  const { asked, fetchBackground } = open()
  const nothing = { memories: [], appointments: [], metadata: { plan: 'gold' } }
  expect(await fetchBackground({ ...request, endUserId: null })).toEqual(nothing)
  expect(asked).toEqual([])
})

test('what fails is left out, with one line in the log, and the rest is there', async () => {
  const { lines, fetchBackground } = open({ memory: new Error('down') })
  const background = await fetchBackground(request)
  expect([background.memories, background.appointments.length]).toEqual([[], 1])
  expect(lines).toMatchObject([{ level: 'warn', component: 'memory', requestId: 'r' }])
  const down = open({ memory: new Error('down'), calendar: new Error('down') })
  expect(await down.fetchBackground(request)).toEqual({ memories: [], appointments: [], metadata: { plan: 'gold' } })
})
