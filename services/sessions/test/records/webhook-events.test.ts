import { webhookEventSchema } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { createOrphanRepository } from '../../src/records/orphan-sweeper.js'
import type { SessionState } from '../../src/records/session-repository.js'
import { createSessionRepository, type NewSession } from '../../src/records/session-repository.js'
import { active, createSession, nothing, useSessionsDatabase } from './sessions-database.js'

const endedAt = new Date('2026-01-31T09:31:13.400Z')
const ended: SessionState = {
  ...active,
  status: 'ended',
  endedAt,
  endReason: 'user_disconnected',
  creditUsed: '0.0412',
}

describeWithPrograms(['postgres'], 'the events of a conversation', () => {
  const database = useSessionsDatabase()

  const begin = async (fields: Partial<NewSession> = {}) => {
    const { id, workspaceId, agentId, publication, transport } = await createSession(database(), fields)
    return {
      about: {
        ...{ session_id: id, agent_id: agentId, publication, end_user_id: null, transport },
        started_at: active.startedAt!.toISOString(),
      },
      write: (state: SessionState) =>
        createSessionRepository(database()).write(workspaceId, id, state, {
          messages: { ...nothing, inProgress: null },
          turns: nothing,
          toolCalls: nothing,
        }),
      events: async () => {
        const rows = await database().inWorkspace(workspaceId, (transaction) =>
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

  test('are both sent when one write has the start and the end', async () => {
    const { write, events } = await begin()
    const error = { code: 'llm_error', detail: 'The model did not answer.' }
    await write({ ...ended, status: 'failed', endReason: 'llm_error', error })
    const [started, failed] = await events()
    expect(started).toMatchObject({ type: 'agent_session.started' })
    expect(started!.data).not.toHaveProperty('ended_at')
    expect(failed).toMatchObject({ type: 'agent_session.failed', data: { end_reason: 'llm_error', error } })
  })

  test('are a failure when its server stopped without warning before it was connected', async () => {
    const { events } = await begin({ instanceId: 'instance-lost' })
    await createOrphanRepository(database()).fail('instance-lost')
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
