import { randomUUID } from 'node:crypto'
import { createClient, createInProcessBus } from '@parlance/bus'
import { agentConfigSchema, calendarContract } from '@parlance/contracts'
import { endUsers } from '@parlance/service-end-users'
import { createMemoryTtlStore, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { describeWithPrograms, startPostgresServer } from '@parlance/testing'
import { createOpenCalendarTools } from '../../../src/tools/calendar/calendar-tools.js'

/** Conversations with an Agent that has a calendar, one for each user; the calendar is the real one. */
const open = async () => {
  const postgres = await startPostgresServer()
  const bus = createInProcessBus()
  const running = await endUsers.start(
    {
      instanceId: randomUUID(),
      bus,
      ttl: createMemoryTtlStore(),
      logger: createLogger({ level: 'silent' }),
      metrics: createMetrics(),
      tracing: noTracing,
      readSecret: () => '',
      openSharedStore: async () => undefined,
      openDatabase: (schema) => openPostgresDatabase({ url: postgres.url, ...schema }),
    },
    endUsers.env.parse({ CALENDAR_FEED_KEY: 'a-feed-key-for-tests-only' }),
  )
  const calendar = createClient(bus, calendarContract)
  const config = agentConfigSchema.parse({
    slug: 'front-desk',
    display_name: 'A',
    voice_id: 'a'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'rules',
    calendar_enabled: true,
  })
  const workspaceId = randomUUID()

  return {
    converse(timeZone: string, endUserId = randomUUID()) {
      const tools = createOpenCalendarTools(calendar)({
        workspaceId,
        endUserId,
        timeZone,
        config,
        agentId: randomUUID(),
        sessionId: randomUUID(),
        requestId: 'a-request',
      })
      let turn = 1
      let userText = ''
      /** The Agent speaks the results of its tools. */
      let playedText = ''
      let results = ''
      const agent = async (name: string, args: object = {}) => {
        const tool = tools.find((candidate) => candidate.name === `calendar_${name}`)!
        const { signal } = new AbortController()
        const { text } = await tool.call(args, { callId: 'a', turn, userText, playedText, signal })
        results += text
        return text
      }
      const user = (words: string) => {
        turn++
        userText = words
        playedText = results
        results = ''
      }
      return {
        agent,
        endUserId,
        async agreed(name: string, args: object) {
          await agent(name, args)
          user('Yes, please.')
          return agent('confirm')
        },
        /** Each as `title day time`, and the id of the first. */
        async listed(from: string, to: string) {
          const text = await agent('list', { from, to })
          const lines = [...text.matchAll(/^- "(.*)", (\w+) (\S+) (\S+) to/gm)].map(([, ...words]) => words.join(' '))
          return { lines, eventId: /event_id ([\w-]{36})/.exec(text)?.[1] ?? '' }
        },
      }
    },
    async stop() {
      await running.stop()
      await bus.close()
      await postgres.stop()
    },
  }
}

/** The Sunday on which clocks in Europe are put forward, next year: events must not lie far in the past. */
const year = new Date().getUTCFullYear() + 1
const lastOfMarch = new Date(Date.UTC(year, 2, 31))
const sunday = Date.UTC(year, 2, 31 - lastOfMarch.getUTCDay())
const day = (offset: number) => new Date(sunday + offset * 86_400_000).toISOString().slice(0, 10)

describeWithPrograms(['postgres'], 'a calendar over the night in which clocks are put forward', () => {
  let installation: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    installation = await open()
  })
  afterAll(() => installation.stop())

  test('keeps its local time, and is moved, cancelled and compared by it', async () => {
    const { agent, agreed, listed } = installation.converse('Europe/Berlin')
    const gym = { title: 'Gym', starts_at: `${day(-1)}T09:00`, duration_minutes: 60, recurrence: 'FREQ=DAILY;COUNT=4' }
    expect(await agreed('create', gym)).toMatch(/^Done: New event "Gym", Saturday/)
    const { lines, eventId } = await listed(day(-1), day(2))
    expect(lines).toEqual([
      ...[`Gym Saturday ${day(-1)} 09:00`, `Gym Sunday ${day(0)} 09:00`, `Gym Monday ${day(1)} 09:00`],
      `Gym Tuesday ${day(2)} 09:00`,
    ])

    // Half past two does not exist that night. The proposal names the time that the event will have.
    const night = { title: 'Call', starts_at: `${day(0)}T02:30`, duration_minutes: 30 }
    expect(await agent('create', night)).toContain(`"Call", Sunday ${day(0)} 03:30 to 04:00`)

    const sundayGym = { event_id: eventId, occurrence: `${day(0)}T09:00` }
    await agreed('move', { ...sundayGym, starts_at: `${day(0)}T18:00` })
    await agreed('cancel', { event_id: eventId, occurrence: `${day(1)}T09:00` })
    expect((await listed(day(-1), day(2))).lines).toEqual([
      ...[`Gym Saturday ${day(-1)} 09:00`, `Gym Sunday ${day(0)} 18:00`, `Gym Tuesday ${day(2)} 09:00`],
    ])
    const dinner = { title: 'Dinner', starts_at: `${day(0)}T18:30`, duration_minutes: 60 }
    expect(await agent('create', dinner)).toMatch(/At the same time: "Gym", Sunday .* 18:00 to 19:00/)
    expect(await agent('create', { ...dinner, starts_at: `${day(0)}T19:00` })).toMatch(/Nothing else takes place/)
  })

  test('is listed in New York by the local time there, and for no other user', async () => {
    const inBerlin = installation.converse('Europe/Berlin')
    const call = {
      title: 'Call',
      starts_at: `${day(-1)}T15:00`,
      duration_minutes: 30,
      recurrence: 'FREQ=DAILY;COUNT=2',
    }
    await inBerlin.agreed('create', call)
    // Six hours between them once both have put their clocks forward, five before Berlin has.
    const traveling = installation.converse('America/New_York', inBerlin.endUserId)
    expect((await traveling.listed(day(-1), day(0))).lines).toEqual([
      ...[`Call Saturday ${day(-1)} 10:00`, `Call Sunday ${day(0)} 09:00`],
    ])
    expect((await installation.converse('Europe/Berlin').listed(day(-1), day(0))).lines).toEqual([])
  })
})
