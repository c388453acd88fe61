import { randomUUID } from 'node:crypto'
import type { EndReason, SessionMessage } from '@parlance/contracts'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import type { SessionFilter } from '../../src/records/session-list.js'
import { createSessionRepository } from '../../src/records/session-repository.js'

const at = '2026-01-31T09:30:00.000Z'
const nothing = { firstPosition: 0, items: [] }

describeWithPrograms(['postgres'], 'a search of conversations', () => {
  const workspaceId = randomUUID()
  let server: TestServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgresServer()
    const migrations = new URL('../../migrations/', import.meta.url)
    database = await openPostgresDatabase({ url: server.url, schema: 'sessions', migrations })
  }, 60_000)
  afterAll(async () => {
    await database.close()
    await server.stop()
  }, 30_000)

  /** A conversation that has ended, in which these texts were said. */
  const record = async (texts: readonly string[], endReason: EndReason): Promise<string> => {
    const sessions = createSessionRepository(database)
    const id = randomUUID()
    await sessions.create(
      {
        ...{ id, workspaceId, agentId: randomUUID(), publication: { id: randomUUID(), version: 1 }, instanceId: 'any' },
        ...{ endUserId: null, transport: 'websocket', inputMode: 'automatic', metadata: {}, keyId: randomUUID() },
        llm: { provider: 'openai', model: 'any' },
      },
      { ofWorkspace: 0, ofAgent: null },
    )
    const items = texts.map((text, index): SessionMessage => {
      const role = index % 2 === 0 ? 'agent' : 'user'
      return { id: randomUUID(), role, text, interrupted: false, created_at: at }
    })
    await sessions.write(
      workspaceId,
      id,
      {
        ...{ status: 'ended', startedAt: new Date(at), endedAt: new Date(at), endReason, error: null, creditUsed: '0' },
        usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 },
      },
      { messages: { firstPosition: 0, items, inProgress: null }, turns: nothing, toolCalls: nothing },
    )
    return id
  }

  const found = async (filter: SessionFilter): Promise<string[]> => {
    const { items } = await createSessionRepository(database).list(workspaceId, filter, { limit: 10, order: 'asc' })
    return items.map(({ id }) => id)
  }

  test('finds by what either side said, in any case and literally, by the reason of the end, and by both', async () => {
    const refund = await record(['Good morning.', 'I want a REFUND of 100 % please.'], 'user_disconnected')
    const table = await record(['A table for four_five?', 'C:\\tables is it. Straße.'], 'silence_timeout')
    expect(await found({})).toEqual([refund, table])
    expect(await found({ text: 'refund of' })).toEqual([refund])
    expect(await found({ text: 'GOOD' })).toEqual([refund])
    expect(await found({ text: 'four_five' })).toEqual([table])
    expect(await found({ text: 'c:\\T' })).toEqual([table])
    expect(await found({ text: 'STRAßE' })).toEqual([table])
    // None of these stands for other letters.
    for (const text of ['good%morning', 'g__d', 'fourxfive', '100_%', "'"]) expect(await found({ text })).toEqual([])
    expect(await found({ text: '%' })).toEqual([refund])
    expect(await found({ end_reason: 'silence_timeout' })).toEqual([table])
    expect(await found({ end_reason: 'silence_timeout', text: 'refund' })).toEqual([])
  })
})
