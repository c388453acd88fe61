import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { personId } from './fake-people.js'
import { recordedBytes, recordedSessionId, recording } from './fake-recordings.js'
import { keyId, keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { as, sendTo } from './member-requests.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const send = sendTo(() => gateway)
const settingsPath = `/dashboard/api/agents/${agentId}/recording`
const recordingPath = `/dashboard/api/agent-sessions/${recordedSessionId}/recording`
const audioPath = `${recordingPath}/audio`
const settings = { enabled: true, consent_required: true, retention_days: 7 }

test('every member reads the settings of an Agent; only Owners and Admins change them', async () => {
  for (const role of ['owner', 'admin'] as const) {
    const put = await send('PUT', settingsPath, as(role), settings)
    expect([put.status, await put.json()]).toEqual([200, { settings, available: true }])
    expect(await (await send('GET', settingsPath, as(role))).json()).toEqual({ settings, available: true })
  }
  const actor = { kind: 'person', id: personId }
  const change = { workspace_id: workspaceId, agent_id: agentId, slug: 'front-desk', actor }
  expect(gateway.fakeRecordings.change).toEqual(change)
  expect((await send('GET', settingsPath, as('member'))).status).toBe(200)
  await expectError(await send('PUT', settingsPath, as('member'), settings), 'forbidden_role')
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? settings : undefined
    await expectError(
      await send(method, settingsPath, { authorization: `Bearer ${keys.good}` }, body),
      'invalid_request',
    )
    await expectError(await send(method, settingsPath, as('owner', otherWorkspaceId), body), 'not_found')
    const ofNone = settingsPath.replace(agentId, recordedSessionId)
    await expectError(await send(method, ofNone, as('owner'), body), 'agent_not_found')
  }
})

test.each([
  [{ ...settings, retention_days: 0 }, 'retention_days'],
  [{ ...settings, retention_days: 1.5 }, 'retention_days'],
  [{ ...settings, keep: true }, 'keep'],
  [{ enabled: true }, 'consent_required'],
])('the settings %j are refused with the name of the field', async (body, field) => {
  await expectError(await send('PUT', settingsPath, as('owner'), body), 'invalid_request', field)
})

test('a member reads the recording of a conversation, but not that of another workspace or of an unknown conversation', async () => {
  const read = await send('GET', recordingPath, as('member'))
  expect([read.status, await read.json()]).toEqual([200, { recording }])
  for (const path of [recordingPath, audioPath]) {
    const unknown = path.replace(recordedSessionId, agentId)
    await expectError(await send('GET', unknown, as('member')), 'session_not_found')
    await expectError(await send('GET', path, as('member', otherWorkspaceId)), 'not_found')
    await expectError(await send('GET', path, { 'x-parlance-workspace': workspaceId }), 'unauthorized')
  }
})

test('the whole audio is sent, or the requested range', async () => {
  const whole = await send('GET', audioPath, as('member'))
  expect(whole.status).toBe(200)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'audio/ogg',
    'content-length': '100000',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="conversation-${recordedSessionId}.ogg"`,
  })
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(recordedBytes)
  for (const [range, start, end] of [
    ['bytes=10-19', 10, 20],
    ['bytes=99990-', 99_990, 100_000],
    ['bytes=-5', 99_995, 100_000],
    ['bytes=0-999999', 0, 100_000],
  ] as const) {
    const part = await send('GET', audioPath, { ...as('member'), range })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/100000`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(recordedBytes.subarray(start, end))
  }
  await expectError(await send('GET', audioPath, { ...as('member'), range: 'bytes=100000-' }), 'range_not_satisfiable')
})

test.each(['recording', 'failed', 'deleted', 'not_recorded'] as const)(
  'a recording that is %s has no audio',
  async (state) => {
    gateway.fakeRecordings.recording = { ...recording, state }
    await expectError(await send('GET', audioPath, as('member')), 'not_found')
    gateway.fakeRecordings.recording = null
    await expectError(await send('GET', audioPath, as('member')), 'not_found')
    gateway.fakeRecordings.recording = recording
  },
)

test('the recordings of an end user are deleted with the memory, in the name of the key', async () => {
  const path = `/v1/end-users/${agentId}/memory`
  expect((await send('DELETE', path, { authorization: `Bearer ${keys.good}` })).status).toBe(204)
  expect((await send('DELETE', `${path}?agent_id=${agentId}`, { authorization: `Bearer ${keys.good}` })).status).toBe(
    204,
  )
  const address = { workspace_id: workspaceId, end_user_id: agentId, actor: { kind: 'api_key', id: keyId } }
  expect(gateway.fakeRecordings.deletions).toEqual([address, { ...address, agent_id: agentId }])
})
