import { randomUUID } from 'node:crypto'
import { webhookEventSchema } from '@parlance/contracts'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import { createOrphanRepository } from '../../src/records/orphan-repository.js'
import type { SessionState } from '../../src/records/session-progress.js'
import { createSessionRepository } from '../../src/records/session-repository.js'

const startedAt = new Date('2026-01-31T09:30:00.000Z')
const active: SessionState = {
  status: 'active',
  startedAt,
  endedAt: null,
  endReason: null,
  error: null,
  usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 },
  creditUsed: '0',
}
const endedAt = new Date('2026-01-31T09:31:13.400Z')
const ended: SessionState = {
  ...active,
  status: 'ended',
  endedAt,
  endReason: 'user_disconnected',
  creditUsed: '0.0412',
}
const nothing = { firstPosition: 0, items: [] }

describeWithPrograms(['postgres'], 'the events of a conversation', () => {
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

  const begin = async (instanceId = 'instance-1') => {
    const sessions = createSessionRepository(database)
    const [workspaceId, id, agentId] = [randomUUID(), randomUUID(), randomUUID()]
    const publication = { id: randomUUID(), version: 3 }
    await sessions.create(
      {
        ...{ id, workspaceId, agentId, publication, instanceId },
        ...{
          endUserId: null,
          transport: 'websocket',
          inputMode: 'automatic',
          metadata: {},
          keyId: randomUUID(),
          llm: { provider: 'openai', model: 'any' },
        },
      },
      { ofWorkspace: 0, ofAgent: null },
    )
    return {
      about: {
        ...{ session_id: id, agent_id: agentId, publication, end_user_id: null, transport: 'websocket' },
        started_at: startedAt.toISOString(),
      },
      write: (state: SessionState) =>
        sessions.write(workspaceId, id, state, {
          messages: { ...nothing, inProgress: null },
          turns: nothing,
          toolCalls: nothing,
        }),
      events: async () => {
        const rows = await database.inWorkspace(workspaceId, (transaction) =>
          transaction.query<{ payload: unknown }>(
            `select payload from outbox where destination = 'webhooks' order by created_at`,
          ),
        )
        return rows.map(({ payload }) => webhookEventSchema.parse(payload))
      },
    }
  }

  test('are its start and its end, each once, however often its record is written', async () => {
    const { about, write, events } = await begin()
    expect(await events()).toEqual([])
    await write(active)
    await write({ ...active, creditUsed: '0.01' })
    await write({ ...active, status: 'ending' })
    await write(ended)
    await write(ended)
    expect(await events()).toEqual([
      { type: 'agent_session.started', data: about },
      {
        type: 'agent_session.ended',
        data: {
          ...about,
          ended_at: endedAt.toISOString(),
          duration_seconds: 73.4,
          end_reason: 'user_disconnected',
          error: null,
          credit_used: '0.0412',
        },
      },
    ])
  })

  test('are both when one write has the start and the end', async () => {
    const { write, events } = await begin()
    const error = { code: 'llm_error', detail: 'The model did not answer.' }
    await write({ ...ended, status: 'failed', endReason: 'llm_error', error })
    const [started, failed] = await events()
    expect(started).toMatchObject({ type: 'agent_session.started' })
    expect(started!.data).not.toHaveProperty('ended_at')
    expect(failed).toMatchObject({ type: 'agent_session.failed', data: { end_reason: 'llm_error', error } })
  })

  test('are its failure when its server stopped without warning before it was connected', async () => {
    const { events } = await begin('instance-lost')
    await createOrphanRepository(database).fail('instance-lost')
    expect(await events()).toMatchObject([
      {
        type: 'agent_session.failed',
        data: {
          started_at: null,
          duration_seconds: 0,
          end_reason: 'internal_error',
          error: { code: 'internal_error' },
        },
      },
    ])
  })
})
