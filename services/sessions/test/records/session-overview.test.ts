import { randomUUID } from 'node:crypto'
import { type EndReason, isFailure } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { createSessionRepository } from '../../src/records/session-repository.js'
import { active, createSession, nothing, useSessionsDatabase } from './sessions-database.js'

const now = new Date().toISOString()
const today = now.slice(0, 10)
const dayBefore = (days: number) => new Date(Date.parse(today) - days * 24 * 3_600_000).toISOString().slice(0, 10)
const [before, first, second, third] = [31, 30, 29, 28].map(dayBefore)
const from = `${first}T00:00:00.000Z`
const unmeasured = {
  endpointing_ms: null,
  stt_ms: null,
  llm_ttft_ms: null,
  tts_ttfa_ms: null,
  prepared_ms: null,
  speculation: 'none',
} as const

describeWithPrograms(['postgres'], 'an overview of conversations', () => {
  const database = useSessionsDatabase()

  /** A conversation that was created then, with a turn for each of these latencies. It is live without an end reason. */
  const record = async (
    workspaceId: string,
    createdAt: string,
    endReason: EndReason | null,
    latencies: readonly (number | null)[] = [],
  ) => {
    const { id } = await createSession(database(), { workspaceId })
    const items = latencies.map((voice_to_voice_ms) => ({ ...unmeasured, voice_to_voice_ms }))
    const ended = endReason !== null && ({ endReason, endedAt: new Date(createdAt) } as const)
    const status = endReason === null ? 'active' : isFailure(endReason) ? 'failed' : 'ended'
    await createSessionRepository(database()).write(
      workspaceId,
      id,
      { ...active, status, ...ended },
      { messages: { ...nothing, inProgress: null }, turns: { firstPosition: 0, items }, toolCalls: nothing },
    )
    await database().inWorkspace(workspaceId, (transaction) =>
      transaction.query('update sessions set created_at = $3 where workspace_id = $1 and id = $2', [
        workspaceId,
        id,
        createdAt,
      ]),
    )
    return id
  }
  const overviewOf = (workspaceId: string) => createSessionRepository(database()).overview(workspaceId, from)

  test('counts by day in UTC, and takes the percentiles of all turns of a day and of the whole period', async () => {
    const workspaceId = randomUUID()
    await record(workspaceId, `${before}T23:59:59.999Z`, 'user_disconnected', [9_000])
    await record(workspaceId, `${first}T00:00:00.000Z`, 'user_disconnected', [100, 200])
    await record(workspaceId, `${first}T23:59:59.999Z`, 'llm_error', [300, null])
    await record(workspaceId, `${third}T12:00:00.000Z`, null, [500])
    await record(randomUUID(), `${third}T12:00:00.000Z`, 'user_disconnected', [7_000])
    const ofFirst = { conversations: 2, ended: 2, succeeded: 1, voice_to_voice_ms: { p50: 200, p95: 300 } }
    const ofThird = { conversations: 1, ended: 0, succeeded: 0, voice_to_voice_ms: { p50: 500, p95: 500 } }
    expect(await overviewOf(workspaceId)).toEqual({
      total: { conversations: 3, ended: 2, succeeded: 1, voice_to_voice_ms: { p50: 200, p95: 500 } },
      days: [
        { day: first, ...ofFirst },
        { day: third, ...ofThird },
      ],
    })
  })

  test('counts what has changed since it was read before: a later turn, an end, a deletion and the day of today', async () => {
    const workspaceId = randomUUID()
    const repository = createSessionRepository(database())
    const figures = { conversations: 1, ended: 1, succeeded: 1, voice_to_voice_ms: { p50: 100, p95: 100 } }
    await record(workspaceId, `${first}T12:00:00.000Z`, 'user_disconnected', [100])
    const removed = await record(workspaceId, `${second}T12:00:00.000Z`, 'user_disconnected', [300])
    const live = await record(workspaceId, `${third}T12:00:00.000Z`, null, [500])
    const earlier = await overviewOf(workspaceId)
    expect(earlier.total).toEqual({
      conversations: 3,
      ended: 2,
      succeeded: 2,
      voice_to_voice_ms: { p50: 300, p95: 500 },
    })
    expect(earlier.days.map(({ day }) => day)).toEqual([first, second, third])

    await repository.remove(workspaceId, removed, undefined)
    const end = { status: 'ended', endReason: 'agent_ended', endedAt: new Date() } as const
    const item = { ...unmeasured, voice_to_voice_ms: 700 }
    const turns = { firstPosition: 1, items: [item] }
    const additions = { messages: { ...nothing, inProgress: null }, turns, toolCalls: nothing }
    await repository.write(workspaceId, live, { ...active, ...end }, additions)
    await record(workspaceId, now, 'user_disconnected', [100])
    expect(await overviewOf(workspaceId)).toEqual({
      total: { conversations: 3, ended: 3, succeeded: 3, voice_to_voice_ms: { p50: 100, p95: 700 } },
      days: [
        { day: first, ...figures },
        { day: third, ...figures, voice_to_voice_ms: { p50: 500, p95: 700 } },
        { day: today, ...figures },
      ],
    })
  })

  test('counts conversations as succeeded that one side or a limit ended, not those that failed or were cut off', async () => {
    const workspaceId = randomUUID()
    const good = ['user_disconnected', 'agent_ended', 'api_ended', 'silence_timeout', 'max_duration'] as const
    const bad = ['connection_lost', 'ice_failed', 'insufficient_credit', 'drained', 'llm_error', 'stt_error'] as const
    for (const reason of [...good, ...bad]) await record(workspaceId, `${second}T09:00:00.000Z`, reason)
    const { total } = await overviewOf(workspaceId)
    expect(total).toEqual({ conversations: 11, ended: 11, succeeded: 5, voice_to_voice_ms: null })
  })

  test('of a workspace without conversations has no days', async () => {
    const total = { conversations: 0, ended: 0, succeeded: 0, voice_to_voice_ms: null }
    expect(await overviewOf(randomUUID())).toEqual({ total, days: [] })
  })
})
