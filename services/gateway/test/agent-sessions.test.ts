import { randomUUID } from 'node:crypto'
import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { keyId, keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { sessionCalls } from './session-calls.js'

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

const { call, started } = sessionCalls(() => gateway)

describe('the records', () => {
  test('are read with a key, by filters and pages', async () => {
    const { session_id } = await started()
    const record = await gateway.get(`/v1/agent-sessions/${session_id.toUpperCase()}`)
    expect(await record.json()).toMatchObject({ id: session_id, transcript: [] })
    const list = await gateway.get(
      `/v1/agent-sessions?limit=2&status=active&agent_id=${agentId}&started_after=2026-01-31T10:30:00%2B01:00`,
    )
    expect(((await list.json()) as { sessions: object[] }).sessions).toHaveLength(1)
    expect(gateway.sessions.requests.listSessions).toEqual({
      workspace_id: workspaceId,
      limit: 2,
      order: 'desc',
      status: 'active',
      agent_id: agentId,
      started_after: '2026-01-31T09:30:00.000Z',
    })
    expect(await (await gateway.get(`/v1/agent-sessions/${session_id}/messages?order=desc`)).json()).toEqual({
      messages: [],
      next_cursor: null,
    })
    const removed = await call('DELETE', `/v1/agent-sessions/${session_id}`, undefined, keys.good)
    expect(removed.status).toBe(204)
    expect(gateway.sessions.requests.deleteSession).toEqual({
      ...{ workspace_id: workspaceId, session_id },
      actor: { kind: 'api_key', id: keyId },
    })
  })

  test.each([
    'status=over',
    'agent_id=x',
    'started_after=today',
    'started_after=0000-01-01T00:00:00Z',
    'limit=0',
    'page=2',
  ])('are not listed by %s', async (query) => {
    await expectError(await gateway.get(`/v1/agent-sessions?${query}`), 'invalid_request')
  })

  test('of another workspace are not found, as those that do not exist', async () => {
    const { session_id } = await started()
    for (const id of [session_id, randomUUID(), 'x']) {
      const answer = await call('GET', `/v1/agent-sessions/${id}`, undefined, keys.ofOther)
      await expectError(answer, 'session_not_found')
    }
    expect(otherWorkspaceId).not.toBe(workspaceId)
  })

  test('are rated with a key of their workspace, and with the token that started them, also when they have ended', async () => {
    const { session_id } = await started()
    const path = `/v1/agent-sessions/${session_id}/feedback`
    const byKey = await call('POST', path, { score: -1, comment: 'It did not listen.' }, keys.good)
    expect(await byKey.json()).toMatchObject({ score: -1, comment: 'It did not listen.' })
    await gateway.registry.end(session_id, (await gateway.registry.locate(session_id))!)
    const byToken = await call('POST', path, { score: 1 })
    expect([byToken.status, byToken.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(gateway.sessions.requests.giveFeedback).toEqual({ workspace_id: workspaceId, session_id, score: 1 })

    for (const body of [{ score: 0 }, { score: 1, comment: '' }, { score: 1, mood: 'good' }]) {
      await expectError(await call('POST', path, body), 'invalid_request')
    }
    await expectError(await call('POST', path, { score: 1 }, 'awst_unauthorized'), 'unauthorized')
    await expectError(await call('POST', path, { score: 1 }, 'awp_unknown'), 'unauthorized')
    const other = `/v1/agent-sessions/${randomUUID()}/feedback`
    await expectError(await call('POST', other, { score: 1 }), 'session_not_found')
  })

  test('need a key of a workspace that has Agents', async () => {
    await expectError(await call('GET', '/v1/agent-sessions', undefined, keys.withoutAgents), 'capability_disabled')
    await expectError(await call('GET', '/v1/agent-sessions'), 'unauthorized')
  })
})
