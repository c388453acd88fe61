// The tools of an Agent: one that is edited, and what was tried.
import { agents, path, withAgent } from './agent-scenes.mjs'

const openTool = (page) => page.getByRole('button', { name: /find_order/ }).click()

const triedTool = { outcome: 'failed', result: 'The tool failed with status 500.', duration_ms: 812.4 }
const tryTool = async (page) => {
  await openTool(page)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('button', { name: 'Call the tool' }).click()
  await page.getByText('Failed after').scrollIntoViewIfNeeded()
}

const proposal = {
  outcome: 'succeeded',
  result:
    'Nothing is changed yet. Tell the user exactly this, with the name of the event, ask whether to do it, and end your turn. When the ' +
    'user then says yes, call calendar_confirm.\nNew event "Dentist", Tuesday 2026-11-24 10:00 to 10:30. At the same time: "Lunch", ' +
    'Tuesday 2026-11-24 10:00 to 11:00. Tell the user of that.',
  duration_ms: 38.2,
}

const tryCalendar = (button) => async (page) => {
  await page.getByRole('button', { name: 'Try the calendar' }).click()
  await page.getByRole('button', { name: button }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: button }).click()
  if (button !== 'Book it…') await page.getByText(/^(Succeeded|Failed) after/).scrollIntoViewIfNeeded()
}

const withCalendar = (tried) => ({
  ...withAgent({ shown: { ...agents[0], calendar_enabled: true } }),
  [`/dashboard/api${path}/tool-tests`]: { body: tried },
})

const calendarScenes = [
  ['agent-calendar-checked', 'Check the time', proposal],
  ['agent-calendar-failed', 'List the events', { ...triedTool, result: 'to: must not be before from' }],
  ['agent-calendar-booking', 'Book it…', proposal],
].map(([name, button, tried]) => ({
  ...{ name, path: `${path}?section=tools` },
  ...{ answers: withCalendar(tried), act: tryCalendar(button) },
}))

const headers = { Authorization: 'sealed:0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11' }
const withServer = withAgent({
  shown: {
    ...agents[0],
    tools: [
      { type: 'mcp', name: 'shop', url: 'https://shop.example.com/mcp', headers, allowed_tools: ['find_order'] },
      { type: 'builtin', name: 'end_call', agents: null },
      { type: 'builtin', name: 'transfer_to_agent', agents: ['sales', 'support'] },
    ],
  },
})
const openServer = async (page) => {
  await page.getByRole('button', { name: /MCP server shop/ }).click()
  await page.getByRole('button', { name: 'Remove the tool' }).scrollIntoViewIfNeeded()
}

const serverTools = {
  outcome: 'succeeded',
  result: '- find_order: Finds an order by its number.\n- cancel_order: Cancels an order that was not sent yet.',
  duration_ms: 214.7,
}
const testConnection = async (page) => {
  await openServer(page)
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await page.getByText(/^(Succeeded|Failed) after/).scrollIntoViewIfNeeded()
}

export const toolScenes = [
  { name: 'agent-built-in-tools', path: `${path}?section=tools`, answers: withServer },
  { name: 'agent-mcp-server', path: `${path}?section=tools`, answers: withServer, act: openServer },
  ...[
    ['agent-mcp-server-tried', serverTools],
    ['agent-mcp-server-failed', { ...triedTool, result: 'It answered with status 401.' }],
  ].map(([name, tried]) => ({
    ...{ name, path: `${path}?section=tools` },
    answers: { ...withServer, [`/dashboard/api${path}/tool-tests`]: { body: tried } },
    act: testConnection,
  })),
  { name: 'agent-tool', path: `${path}?section=tools`, answers: withAgent(), act: openTool },
  {
    name: 'agent-tool-tried',
    path: `${path}?section=tools`,
    answers: { ...withAgent(), [`/dashboard/api${path}/tool-tests`]: { body: triedTool } },
    act: tryTool,
  },
  ...calendarScenes,
]
