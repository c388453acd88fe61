import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { connectClient } from './fake-client.js'
import { type Installation, startInstallation } from './installation.js'

const weakened = weakenDatabases()

describeWithPrograms(['postgres'], 'two workspaces', () => {
  /** A conversation of a workspace that has messages, and has ended. */
  const converse = async (installation: Installation, workspace_id: string, agentId: string) => {
    const { session_id } = await installation.start(workspace_id, agentId)
    const address = { workspace_id, session_id }
    const peer = connectClient(installation, address, 'sessions-0')
    await peer.send({ event: 'client.ready' })
    await peer.say(`of ${workspace_id}`)
    await peer.event('transcript', (event) => event.event === 'transcript' && event.role === 'agent')
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    return session_id
  }

  const suite = (wrap: (database: Database) => Database): void => {
    let installation: Installation
    let here: string
    let there: string
    let mine: string
    let theirs: string

    beforeAll(async () => {
      installation = await startInstallation({ wrap })
      here = await installation.newWorkspace()
      there = await installation.newWorkspace()
      // The same Agent, so that only the workspace differs.
      const agentId = installation.newAgent({ session_config: { max_concurrent_sessions: 1 } })
      mine = await converse(installation, here, agentId)
      theirs = await converse(installation, there, agentId)
    })
    afterAll(() => installation.stop())

    test('a conversation of another workspace does not exist for any method, and is not changed', async () => {
      const { records, live } = installation
      const own = { workspace_id: there, session_id: theirs }
      const before = await records.getSession(own)
      for (const session_id of [theirs, randomUUID()]) {
        const address = { workspace_id: here, session_id }
        for (const attempt of [
          () => records.getSession(address),
          () => records.listMessages(address),
          () => records.listTurns(address),
          () => records.listToolCalls(address),
          () => records.getAnalysis(address),
          () => records.findInstance(address),
          () => records.deleteSession(address),
        ]) {
          await expect(attempt()).rejects.toMatchObject({ code: 'session_not_found' })
        }
      }
      expect(await records.getSession(own)).toEqual(before)
      expect(before.transcript).toHaveLength(2)
      const { session_id } = await installation.start(there, installation.newAgent())
      const end = { workspace_id: here, session_id, reason: 'api_ended' as const }
      await expect(live.endSession(end, { instance: 'sessions-0' })).rejects.toMatchObject({
        code: 'session_not_found',
      })
      await live.endSession({ ...end, workspace_id: there }, { instance: 'sessions-0' })
    })

    test('an overview counts no conversation of another workspace', async () => {
      const from = new Date(Date.now() - 3_600_000).toISOString()
      const { total, days } = await installation.records.getOverview({ workspace_id: here, from })
      expect([total.conversations, days.map(({ conversations }) => conversations)]).toEqual([1, [1]])
    })

    test('a list has no conversation of another workspace, whatever its filter', async () => {
      const { records } = installation
      const { next_cursor } = await records.listSessions({ workspace_id: there, limit: 1, order: 'asc' })
      for (const filter of [
        {},
        { status: 'ended' as const },
        { order: 'asc' as const },
        { limit: 1 },
        { text: 'OF ' },
      ]) {
        const { sessions } = await records.listSessions({ workspace_id: here, ...filter })
        expect(sessions.map(({ id }) => id)).toEqual([mine])
      }
      expect(await records.listSessions({ workspace_id: here, text: there })).toEqual({
        sessions: [],
        next_cursor: null,
      })
      if (next_cursor !== null) {
        const { sessions } = await records.listSessions({ workspace_id: here, cursor: next_cursor })
        expect(sessions.every(({ id }) => id === mine)).toBe(true)
      }
    })
  }

  describe('are kept apart', () => suite((database) => database))

  describe('are isolated by row-level security alone', () => {
    suite(weakened.byRowsAlone)
    afterAll(() => expect(weakened.rewritten()).toBeGreaterThan(20))
  })

  describe('are isolated by the filters of the queries alone', () => suite(weakened.byFiltersAlone))

  test('are not kept apart with neither, which shows that the suites above test it', async () => {
    const installation = await startInstallation({ wrap: weakened.byNeither })
    const there = await installation.newWorkspace()
    const session_id = await converse(installation, there, installation.newAgent())
    const address = { workspace_id: await installation.newWorkspace(), session_id }
    expect(await installation.records.getSession(address)).toMatchObject({ id: session_id })
    await installation.stop()
  })

  test('show no rows outside of a workspace', async () => {
    const installation = await startInstallation()
    const workspaceId = await installation.newWorkspace()
    await converse(installation, workspaceId, installation.newAgent())
    for (const table of ['sessions', 'messages', 'turns']) {
      expect(await installation.database.query(`select * from ${table}`)).toEqual([])
      const seen = await installation.database.inWorkspace(randomUUID(), (transaction) =>
        transaction.query(`select * from ${table} where workspace_id = $1`, [workspaceId]),
      )
      expect(seen).toEqual([])
    }
    await installation.stop()
  })
})
