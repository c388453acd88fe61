import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import type { Client } from '@parlance/bus'
import { type MemberPrincipal, type peopleContract, type Role, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { watchMember } from '../src/authentication/require-person.js'
import { expectError } from './expect-error.js'
import { agentId } from './fake-agents.js'
import { cookieOf, personId } from './fake-people.js'
import { keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { sessionsInstance } from './fake-sessions.js'
import { as } from './member-requests.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { sessionCalls } from './session-calls.js'

let gateway: OpenGateway
let sessionId: string
beforeEach(async () => {
  // A request that a busy machine does not answer before that is cut off as well.
  gateway = await openGateway({ stalledAfterMs: 2_000, stopWithinMs: 60_000 })
  sessionId = (await sessionCalls(() => gateway).started()).session_id
})
afterEach(() => gateway.close())

const pathOf = (id: string) => `/dashboard/api/agent-sessions/${id}/listen`
const listen = (
  headers: Record<string, string>,
  { id = sessionId, signal }: { id?: string; signal?: AbortSignal } = {},
) => fetch(`${gateway.url}${pathOf(id)}`, { method: 'POST', headers, ...(signal && { signal }) })
const pieceOf = (at_ms: number, ...samples: number[]) => ({
  at_ms,
  data: new Uint8Array(Int16Array.from(samples).buffer),
})
const silentLine = '{"at_ms":0,"audio_base64":""}\n'
/** Resolves when the stream of a listener was cancelled. */
const cancelled = async () => {
  while (gateway.sessions.state.stoppedListening === 0) await new Promise(setImmediate)
}

test('Owners and Admins listen under their own name, and get each piece with its position until the conversation ends', async () => {
  gateway.sessions.state.pieces = [pieceOf(0), pieceOf(0, 1, -2), pieceOf(300, 32_767, -32_768)]
  for (const role of ['owner', 'admin'] as const) {
    const response = await listen(as(role))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    // The bytes 01 00 fe ff and ff 7f 00 80.
    const spoken = ['{"at_ms":0,"audio_base64":"AQD+/w=="}\n', '{"at_ms":300,"audio_base64":"/38AgA=="}\n']
    expect(await response.text()).toBe([silentLine, ...spoken].join(''))
  }
  expect(gateway.sessions.requests.listen).toEqual({
    ...{ workspace_id: workspaceId, session_id: sessionId, actor: { kind: 'person', id: personId } },
  })
})

test('others may not listen, and their requests do not reach the conversation', async () => {
  await expectError(await listen(as('member')), 'forbidden_role')
  await expectError(await listen({ 'x-parlance-workspace': workspaceId }), 'unauthorized')
  await expectError(await listen({ cookie: cookieOf('owner') }), 'invalid_request')
  const withKey = { authorization: `Bearer ${keys.good}`, 'x-parlance-workspace': workspaceId }
  await expectError(await listen(withKey), 'unauthorized')
  await expectError(await listen(as('owner', otherWorkspaceId)), 'not_found')
  await expectError(await listen(as('owner'), { id: randomUUID() }), 'session_not_found')
  await expectError(await listen(as('owner'), { id: 'none' }), 'session_not_found')
  expect(gateway.sessions.requests.listen).toBeUndefined()
})

test('a conversation that has ended, or whose instance has stopped, is an error with that code', async () => {
  gateway.sessions.state.overFor = sessionId
  await expectError(await listen(as('owner')), 'session_ended')
  Object.assign(gateway.sessions.state, { overFor: undefined, instance: 'sessions-gone' })
  await expectError(await listen(as('owner')), 'session_ended')
  expect(gateway.sessions.requests.listen).toBeUndefined()
  gateway.sessions.state.instance = sessionsInstance
})

test('a client that leaves cancels its stream', async () => {
  Object.assign(gateway.sessions.state, { pieces: [pieceOf(0)], holdListeners: true })
  const left = new AbortController()
  const response = await listen(as('admin'), { signal: left.signal })
  expect(response.status).toBe(200)
  left.abort()
  await cancelled()
})

test('a listener is not disconnected while the conversation is silent, but is when it reads nothing', async () => {
  Object.assign(gateway.sessions.state, { pieces: [pieceOf(0)], holdListeners: true })
  const silent = await listen(as('admin'))
  // Far more than the buffers can hold.
  const big = { at_ms: 0, data: new Uint8Array(30_000) }
  gateway.sessions.state.pieces = Array.from({ length: 2_000 }, () => big)
  const stalled = connect(gateway.server.port, '127.0.0.1')
  const headers = Object.entries({ host: 'test', ...as('admin') }).map(([name, value]) => `${name}: ${value}`)
  stalled.pause().write([`POST ${pathOf(sessionId)} HTTP/1.1`, ...headers, 'content-length: 0', '', ''].join('\r\n'))
  while (gateway.lines.every(({ route }) => route !== '/dashboard/api/agent-sessions/:sessionId/listen')) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  stalled.destroy()
  expect(gateway.sessions.state.stoppedListening).toBe(0)
  const reader = silent.body!.getReader()
  expect((await reader.read()).value).toHaveLength(silentLine.length)
  await reader.cancel()
  await cancelled()
})

test('a gateway that stops does not wait for listeners, whose responses end as incomplete', async () => {
  Object.assign(gateway.sessions.state, { pieces: [pieceOf(0)], holdListeners: true })
  const response = await listen(as('admin'))
  gateway.beginStop()
  await expect(response.arrayBuffer()).rejects.toThrow('terminated')
  await cancelled()
})

test('a gateway that stops refuses new listeners, since nothing would end their responses', async () => {
  Object.assign(gateway.sessions.state, { pieces: [pieceOf(0)], holdListeners: true })
  gateway.beginStop()
  await expectError(await listen(as('admin')), 'unavailable', 'about to stop')
})

describe('during the response', () => {
  const principal = (role: Role) => ({ role, workspace_id: workspaceId, person_id: personId }) as MemberPrincipal
  const watched = (
    answers: (() => MemberPrincipal)[],
  ): { lost: Promise<void>; asked: () => number; stop: () => void } => {
    let asked = 0
    const people = {
      getMember: async () => answers[Math.min(asked++, answers.length - 1)]!(),
    } as unknown as Pick<Client<typeof peopleContract>, 'getMember'>
    const req = { headers: as('admin'), context: { requestId: agentId } } as unknown as Request
    let stop = () => {}
    const lost = new Promise<void>((onLost) => {
      stop = watchMember(req, { people, role: 'admin', everyMs: 1, onLost })
    })
    return { lost, asked: () => asked, stop }
  }
  const refuse = (code: 'unauthorized' | 'not_found' | 'unavailable') => () => {
    throw new ServiceError(code, 'No.')
  }

  test.each([
    ['has a lesser role', () => principal('member')],
    ['has signed out', refuse('unauthorized')],
    ['is no longer a member', refuse('not_found')],
  ])('a listener who %s is detected', async (_, answer) => {
    const { lost, asked } = watched([() => principal('owner'), answer])
    await lost
    expect(asked()).toBe(2)
  })

  test('a listener continues when the check of the person fails', async () => {
    const { lost, asked, stop } = watched([refuse('unavailable'), refuse('unavailable'), () => principal('admin')])
    while (asked() < 4) await new Promise(setImmediate)
    stop()
    await expect(Promise.race([lost, Promise.resolve('still listening')])).resolves.toBe('still listening')
  })
})
