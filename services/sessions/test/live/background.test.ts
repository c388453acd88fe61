import { agentConfigSchema } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { type BackgroundRequest, createFetchBackground } from '../../src/live/background.js'

const open = (failure?: Error) => {
  const asked: object[] = []
  const lines: object[] = []
  const fetchBackground = createFetchBackground({
    memory: {
      async recall(request) {
        asked.push(request)
        if (failure !== undefined) throw failure
        return { facts: [{ id: 'f', text: 'The user likes tea.' }] }
      },
    },
    readAppointments: async ({ endUserId, timeZone }) => (endUserId === null ? [] : [`"Dentist" in ${timeZone}`]),
    logger: createLogger({ destination: { write: (line: string) => void lines.push(JSON.parse(line)) } }),
  })
  return { asked, lines, fetchBackground }
}

const configWith = (enabled: object) =>
  agentConfigSchema.parse({
    ...{ slug: 'an-agent', display_name: 'An agent', voice_id: '0'.repeat(32) },
    ...{ llm_provider: 'builtin', llm_model: 'builtin', ...enabled },
  })
const request: BackgroundRequest = {
  ...{ workspaceId: 'w', agentId: 'a', sessionId: 's', endUserId: 'u', timeZone: 'Europe/Brussels' },
  ...{ metadata: { plan: 'gold' }, context: { requestId: 'r' } },
  config: configWith({ memory_enabled: true, calendar_enabled: true }),
}

test('what is known is what the Agent remembers of the user, what he has on, and what his backend said', async () => {
  const { asked, fetchBackground } = open()
  expect(await fetchBackground(request)).toEqual({
    memories: ['The user likes tea.'],
    appointments: ['"Dentist" in Europe/Brussels'],
    metadata: { plan: 'gold' },
  })
  expect(asked).toEqual([{ workspace_id: 'w', agent_id: 'a', end_user_id: 'u', token_budget: 800 }])
})

test('a revision without memory recalls nothing, and of nobody nothing is asked', async () => {
  const { asked, fetchBackground } = open()
  await fetchBackground({ ...request, config: configWith({ calendar_enabled: true }) })
  const nothing = { memories: [], appointments: [], metadata: { plan: 'gold' } }
  expect(await fetchBackground({ ...request, endUserId: null })).toEqual(nothing)
  expect(asked).toEqual([])
})

test('a memory that fails is left out, with one line in the log, and the rest is there', async () => {
  const { lines, fetchBackground } = open(new Error('down'))
  const { memories, appointments } = await fetchBackground(request)
  expect([memories, appointments.length]).toEqual([[], 1])
  expect(lines).toMatchObject([{ level: 'warn', component: 'memory', requestId: 'r' }])
})
