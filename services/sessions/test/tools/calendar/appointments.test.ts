import { randomUUID } from 'node:crypto'
import { agentConfigSchema, type Occurrence, ServiceError } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { createReadAppointments } from '../../../src/tools/calendar/appointments.js'

beforeAll(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 28, 12, 30) }))
afterAll(() => void vi.useRealTimers())

const config = (calendar_enabled: boolean) =>
  agentConfigSchema.parse({
    slug: 'front-desk',
    display_name: 'A',
    voice_id: 'a'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'rules',
    calendar_enabled,
  })

const conversation = (fields: object = {}) => ({
  workspaceId: randomUUID(),
  endUserId: randomUUID(),
  timeZone: 'Europe/Berlin',
  requestId: 'a-request',
  sessionId: randomUUID(),
  config: config(true),
  ...fields,
})

const at = (hours: number): Occurrence => ({
  event_id: randomUUID(),
  title: `At ${hours}`,
  time_zone: 'UTC',
  recurring: false,
  starts_at: new Date(Date.UTC(2026, 2, 28, hours)).toISOString(),
  ends_at: new Date(Date.UTC(2026, 2, 28, hours + 1)).toISOString(),
})

const read = (answer: () => Occurrence[]) => {
  const asked: object[] = []
  const readAppointments = createReadAppointments({
    calendar: {
      async listOccurrences(request) {
        asked.push(request)
        return { occurrences: answer() }
      },
    },
    logger: createLogger({ level: 'silent' }),
  })
  return { asked, readAppointments }
}

test('events of the next week are listed in the user’s time zone, from the current one on', async () => {
  const { readAppointments } = read(() => [at(2), at(12), at(24), at(24 * 7), at(24 * 9)])
  expect(await readAppointments(conversation())).toEqual([
    '"At 12", Saturday 2026-03-28 13:00 to 14:00',
    // Clocks were put forward in between.
    '"At 24", Sunday 2026-03-29 01:00 to 03:00',
    '"At 168", Saturday 2026-04-04 02:00 to 03:00',
  ])
})

test('only the first events of a full week are listed', async () => {
  const { readAppointments } = read(() => Array.from({ length: 50 }, () => at(13)))
  expect(await readAppointments(conversation())).toHaveLength(10)
})

test('a calendar is not requested when the Agent has none, or the user is unknown', async () => {
  const { asked, readAppointments } = read(() => [at(13)])
  expect(await readAppointments(conversation({ config: config(false) }))).toEqual([])
  expect(await readAppointments(conversation({ endUserId: null }))).toEqual([])
  expect(asked).toEqual([])
})

test('a calendar that does not respond counts as empty', async () => {
  const { readAppointments } = read(() => {
    throw new ServiceError('unavailable', 'It cannot be reached.')
  })
  expect(await readAppointments(conversation())).toEqual([])
})
