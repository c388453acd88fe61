import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { memory } from './fake-memory.js'
import { keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const endUserId = '0b5c6a52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
const path = `/v1/end-users/${endUserId}/memory`
const send = (method: string, at: string, key: string = keys.good) =>
  fetch(`${gateway.url}${at}`, { method, headers: { authorization: `Bearer ${key}` } })

test('memories are listed for the workspace of the key, page by page, for one Agent or all', async () => {
  const response = await send('GET', path)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  expect(await response.json()).toEqual({ memories: [memory], next_cursor: 'more' })
  const asked = { workspace_id: workspaceId, end_user_id: endUserId, limit: 100, order: 'desc' }
  expect(gateway.memoryRequests.listMemories).toEqual(asked)

  const upper = `/v1/end-users/${endUserId.toUpperCase()}/memory`
  const query = `agent_id=${agentId.toUpperCase()}&limit=2&order=asc&cursor=more`
  await send('GET', `${upper}?${query}`, keys.ofOther)
  expect(gateway.memoryRequests.listMemories).toEqual({
    ...asked,
    workspace_id: otherWorkspaceId,
    agent_id: agentId,
    limit: 2,
    order: 'asc',
    cursor: 'more',
  })
})

test('the memory of one Agent, or all of it, is deleted', async () => {
  const response = await send('DELETE', path)
  expect([response.status, await response.text()]).toEqual([204, ''])
  expect(gateway.memoryRequests.forget).toEqual({ workspace_id: workspaceId, end_user_id: endUserId })
  await send('DELETE', `${path}?agent_id=${agentId}`, keys.ofOther)
  expect(gateway.memoryRequests.forget).toEqual({
    workspace_id: otherWorkspaceId,
    end_user_id: endUserId,
    agent_id: agentId,
  })
})

test.each([
  ['GET', '/v1/end-users/bob/memory', 'end_user_id'],
  ['DELETE', '/v1/end-users/bob/memory', 'end_user_id'],
  ['GET', `${path}?agent_id=bob`, 'agent_id'],
  ['GET', `${path}?limit=0`, 'limit'],
  ['GET', `${path}?end_user_id=${endUserId}`, 'end_user_id'],
  ['DELETE', `${path}?agent=${agentId}`, 'agent'],
  ['DELETE', `${path}?agent_id=`, 'agent_id'],
  ['DELETE', `${path}?agent_id=${agentId}&agent_id=${agentId}`, 'agent_id'],
])('%s %s is refused, and nothing is deleted', async (method, at, field) => {
  delete gateway.memoryRequests.forget
  await expectError(await send(method, at), 'invalid_request', field)
  expect(gateway.memoryRequests.forget).toBeUndefined()
})

test('only keys that may use Agents are accepted', async () => {
  for (const method of ['GET', 'DELETE']) {
    await expectError(await send(method, path, keys.withoutAgents), 'capability_disabled')
    await expectError(await send(method, path, 'awst_good'), 'unauthorized')
  }
})
