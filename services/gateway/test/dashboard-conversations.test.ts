/** The actions of members on Agents and conversations in the dashboard, beyond the public API. */
import { dashboardRoutes } from '../src/routes/dashboard/dashboard-routes.js'
import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { personId } from './fake-people.js'
import { keyId, otherWorkspaceId, workspaceId } from './fake-services.js'
import { analysis, evaluation, overview, toolCall, turn } from './fake-sessions.js'
import { as, sendTo } from './member-requests.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const send = sendTo(() => gateway)

test('a member reads statistics of the conversations since a day, at most 366 days back', async () => {
  const path = '/dashboard/api/overview'
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const day = daysAgo(6).slice(0, 10)
  const response = await send('GET', `${path}?from=${day}`, as('member'))
  expect(await response.json()).toEqual(overview)
  const asked = { workspace_id: workspaceId, from: `${day}T00:00:00.000Z` }
  expect(gateway.sessions.requests.getOverview).toEqual(asked)
  for (const wrong of ['', '?from=yesterday', `?from=${daysAgo(367)}`, `?from=${day}&to=${day}`]) {
    await expectError(await send('GET', `${path}${wrong}`, as('member')), 'invalid_request')
  }
  await expectError(await send('GET', `${path}?from=${day}`, { 'x-parlance-workspace': workspaceId }), 'unauthorized')
})

test('a member reads the turns of a conversation by page', async () => {
  const path = `/dashboard/api/agent-sessions/${keyId}/turns`
  const response = await send('GET', `${path}?limit=5&cursor=abc`, as('member'))
  expect(await response.json()).toEqual({ turns: [turn], next_cursor: null })
  const asked = { workspace_id: workspaceId, session_id: keyId, limit: 5, cursor: 'abc' }
  expect(gateway.sessions.requests.listTurns).toEqual(asked)
  await expectError(await send('GET', `${path}?order=desc`, as('member')), 'invalid_request')
  await expectError(await send('GET', '/dashboard/api/agent-sessions/none/turns', as('member')), 'session_not_found')
  await expectError(await send('GET', path, { 'x-parlance-workspace': workspaceId }), 'unauthorized')
})

test('a member finds conversations by what was said and by why they ended, and the public API does not', async () => {
  const path = '/dashboard/api/agent-sessions'
  const query = '?text=100%25%20off&end_reason=llm_error&status=failed&limit=5'
  expect((await send('GET', `${path}${query}`, as('member'))).status).toBe(200)
  const asked = { workspace_id: workspaceId, limit: 5, order: 'desc', status: 'failed' }
  expect(gateway.sessions.requests.listSessions).toEqual({ ...asked, text: '100% off', end_reason: 'llm_error' })
  for (const wrong of ['text=', `text=${'a'.repeat(201)}`, 'text=%00', 'end_reason=other', 'agent_id=none']) {
    await expectError(await send('GET', `${path}?${wrong}`, as('member')), 'invalid_request')
  }
  await expectError(await send('GET', path, { 'x-parlance-workspace': workspaceId }), 'unauthorized')
  for (const field of ['text=a', 'end_reason=llm_error']) {
    await expectError(await gateway.get(`/v1/agent-sessions?${field}`), 'invalid_request')
  }
})

test('a member reads the calls of tools in a conversation by page', async () => {
  const path = `/dashboard/api/agent-sessions/${keyId}/tool-calls`
  const response = await send('GET', `${path}?limit=5&cursor=abc`, as('member'))
  expect(await response.json()).toEqual({ tool_calls: [toolCall], next_cursor: null })
  const asked = { workspace_id: workspaceId, session_id: keyId, limit: 5, cursor: 'abc' }
  expect(gateway.sessions.requests.listToolCalls).toEqual(asked)
  await expectError(await send('GET', path, { 'x-parlance-workspace': workspaceId }), 'unauthorized')
})

test('a member has a conversation judged by criteria of a test', async () => {
  const path = `/dashboard/api/agent-sessions/${keyId}/judgments`
  const { criteria } = evaluation
  const response = await send('POST', path, as('member'), { criteria })
  expect(await response.json()).toEqual({ criteria: analysis.criteria })
  expect(gateway.sessions.requests.judge).toEqual({ workspace_id: workspaceId, session_id: keyId, criteria })
  await expectError(await send('POST', path, as('member'), { criteria: [] }), 'invalid_request')
})

test('a member reads and sets the evaluation of an Agent, and reads the analysis of a conversation', async () => {
  const path = `/dashboard/api/agents/${agentId}/evaluation`
  expect(await (await send('GET', path, as('member'))).json()).toEqual(evaluation)
  const wanted = { ...evaluation, data: [] }
  expect(await (await send('PUT', path, as('member'), wanted)).json()).toEqual(wanted)
  const asked = { workspace_id: workspaceId, agent_id: agentId, evaluation: wanted }
  expect(gateway.sessions.requests.putEvaluation).toEqual(asked)

  const twice = { ...wanted, criteria: [...evaluation.criteria, ...evaluation.criteria] }
  const data = [{ name: 'Day', type: 'date', description: 'Which.' }]
  for (const wrong of [twice, { ...wanted, data }, { criteria: [] }, { ...wanted, more: 1 }]) {
    await expectError(await send('PUT', path, as('member'), wrong), 'invalid_request')
  }
  const unknown = path.replace(agentId, keyId)
  await expectError(await send('PUT', unknown, as('member'), wanted), 'agent_not_found')
  await expectError(await send('GET', unknown, as('member')), 'agent_not_found')
  await expectError(await send('PUT', path, { 'x-parlance-workspace': workspaceId }, wanted), 'unauthorized')

  const judged = await send('GET', `/dashboard/api/agent-sessions/${keyId}/analysis`, as('member'))
  expect(await judged.json()).toEqual({ analysis })
})

test('a member tries a tool that is not saved, with the rest of the draft and as its end user', async () => {
  const path = `/dashboard/api/agents/${agentId}/tool-tests`
  const tool = { type: 'webhook', name: 'find_order', url: 'https://example.com/orders', timeout_ms: 3_000 }
  const tried = await send('POST', path, as('member'), { tool, arguments: { number: 7 } })
  const outcome = { outcome: 'failed', result: 'The tool failed with status 500.', duration_ms: 12.5 }
  expect(await tried.json()).toEqual(outcome)
  const asked = { workspace_id: workspaceId, agent_id: agentId, person_id: personId }
  expect(gateway.sessions.requests.tryTool).toMatchObject({
    ...{ ...asked, name: 'find_order', arguments: { number: 7 } },
    config: { slug: 'front-desk', tools: [{ ...tool, description: '', parameters: {} }], web_search_enabled: false },
  })
  await send('POST', path, as('member'), { tool: { type: 'web_search' }, arguments: { query: 'x' } })
  expect(gateway.sessions.requests.tryTool).toMatchObject({ name: 'web_search', config: { web_search_enabled: true } })

  const server = { type: 'mcp', name: 'orders', url: 'https://example.com/mcp', headers: { 'x-key': 'unsaved' } }
  await send('POST', path, as('member'), { tool: server, arguments: {} })
  expect(gateway.sessions.requests.tryTool).toMatchObject({ name: 'orders', config: { tools: [server] } })
  const sealed = { 'x-key': `sealed:${agentId}` }
  const elsewhere = await send('POST', path, as('member'), { tool: { ...server, headers: sealed }, arguments: {} })
  expect(elsewhere.status).toBe(400)
  expect(await elsewhere.json()).toMatchObject({ detail: expect.stringMatching(/another server/) })

  const time_zone = 'Europe/Berlin'
  const days = { from: '2026-03-20', to: '2026-03-21' }
  await send('POST', path, as('member'), { tool: { type: 'calendar_list' }, arguments: days, time_zone })
  expect(gateway.sessions.requests.tryTool).toMatchObject({
    ...{ ...asked, name: 'calendar_list', arguments: days, time_zone, confirmed: false },
    config: { tools: [], web_search_enabled: false, calendar_enabled: true },
  })
  for (const confirmed of [undefined, false, true]) {
    const create = { type: 'calendar_create', confirmed }
    await send('POST', path, as('member'), { tool: create, arguments: { title: 'Dentist' } })
    expect(gateway.sessions.requests.tryTool).toMatchObject({
      ...{ ...asked, name: 'calendar_create', time_zone: 'UTC', confirmed: confirmed === true },
    })
  }

  const wrong = [
    { type: 'calendar_confirm' },
    { type: 'calendar_create', confirmed: 'yes' },
    { ...tool, confirmed: true },
    { type: 'client', name: 'open_page' },
    { ...tool, url: 'ftp://example.com' },
    { ...tool, name: '1' },
  ]
  for (const one of wrong) {
    await expectError(await send('POST', path, as('member'), { tool: one, arguments: {} }), 'invalid_request')
  }
  await expectError(await send('POST', path, as('member'), { tool, arguments: [] }), 'invalid_request')
  const nowhere = { tool, arguments: {}, time_zone: 'Atlantis' }
  await expectError(await send('POST', path, as('member'), nowhere), 'invalid_request', 'time_zone')
  const unknown = path.replace(agentId, keyId)
  await expectError(await send('POST', unknown, as('member'), { tool, arguments: {} }), 'agent_not_found')
  await expectError(await send('POST', path, { 'x-parlance-workspace': workspaceId }, {}), 'unauthorized')
})

test('a member follows a live conversation and ends it as the recorded actor; a key cannot', async () => {
  const path = `/dashboard/api/agent-sessions/${keyId}`
  const address = { workspace_id: workspaceId, session_id: keyId }
  const progress = await send('GET', `${path}/progress`, as('member'))
  expect(await progress.json()).toMatchObject({ session: { id: keyId }, final_messages: 2, in_progress: null })
  expect(gateway.sessions.requests.getProgress).toEqual(address)
  expect((await send('POST', `${path}/end`, as('member'))).status).toBe(204)
  const actor = { kind: 'person', id: personId }
  expect(gateway.sessions.requests.endRecordedSession).toEqual({ ...address, actor })
  for (const [method, route] of [
    ['GET', 'progress'],
    ['POST', 'end'],
  ] as const) {
    await expectError(await send(method, `${path}/${route}`, as('owner', otherWorkspaceId)), 'not_found')
    await expectError(await send(method, `${path}/${route}`, { 'x-parlance-workspace': workspaceId }), 'unauthorized')
    await expectError(
      await send(method, `/dashboard/api/agent-sessions/none/${route}`, as('member')),
      'session_not_found',
    )
  }
  const roleOf = (wanted: string) => dashboardRoutes.find(({ operationId }) => operationId === wanted)?.authentication
  // Members who may delete a conversation may end it.
  expect(roleOf('endLiveSession')).toEqual(roleOf('deleteSession'))
})
