import { agentConfigSchema } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { createFetchBackground } from '../../src/start/background.js'

const open = (fails?: Error) => {
  const asked: object[] = []
  const lines: object[] = []
  const fetchBackground = createFetchBackground({
    memory: {
      async recall(request) {
        asked.push(request)
        if (fails) throw fails
        return { facts: [{ id: 'f', text: 'The user likes tea.' }] }
      },
    },
    readAppointments: async ({ timeZone }) => [`Dentist, in ${timeZone}`],
    logger: createLogger({ destination: { write: (line: string) => void lines.push(JSON.parse(line)) } }),
  })
  return { asked, lines, fetchBackground }
}

const conversation = (memory_enabled: boolean, endUserId: string | null = 'u') => ({
  workspaceId: 'w',
  agentId: 'a',
  sessionId: 's',
  requestId: 'r',
  timeZone: 'Europe/Brussels',
  endUserId,
  config: agentConfigSchema.parse({
    slug: 'front-desk',
    display_name: 'Front desk',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'rules',
    memory_enabled,
  }),
})
const metadata = { plan: 'gold' }
const appointments = ['Dentist, in Europe/Brussels']

test('the background is the memories of this user, the appointments, and the metadata of the token', async () => {
  const { asked, fetchBackground } = open()
  const memories = ['The user likes tea.']
  expect(await fetchBackground(conversation(true), metadata)).toEqual({ memories, appointments, metadata })
  expect(asked).toEqual([{ workspace_id: 'w', end_user_id: 'u', agent_id: 'a', token_budget: 800 }])
})

test.each([
  ['a revision without memory', conversation(false)],
  ['an unknown user', conversation(true, null)],
])('for %s memory is not asked', async (_case, given) => {
  const { asked, fetchBackground } = open()
  expect(await fetchBackground(given, metadata)).toEqual({ memories: [], appointments, metadata })
  expect(asked).toEqual([])
})

test('memories that cannot be fetched are left out, with one line in the log', async () => {
  const { lines, fetchBackground } = open(new Error('down'))
  expect(await fetchBackground(conversation(true), metadata)).toEqual({ memories: [], appointments, metadata })
  expect(lines).toMatchObject([{ level: 'warn', sessionId: 's', requestId: 'r' }])
})
