import { randomUUID } from 'node:crypto'
import type { EndReason, SessionMessage } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import type { SessionFilter } from '../../src/records/session-repository.js'
import { createSessionRepository } from '../../src/records/session-repository.js'
import { active, createSession, nothing, useSessionsDatabase } from './sessions-database.js'

const at = '2026-01-31T09:30:00.000Z'

describeWithPrograms(['postgres'], 'a search of conversations', () => {
  const workspaceId = randomUUID()
  const database = useSessionsDatabase()

  /** A conversation that has ended, in which these texts were said. */
  const record = async (texts: readonly string[], endReason: EndReason): Promise<string> => {
    const { id } = await createSession(database(), { workspaceId })
    const items = texts.map((text, index): SessionMessage => {
      const role = index % 2 === 0 ? 'agent' : 'user'
      return { id: randomUUID(), role, text, interrupted: false, created_at: at }
    })
    await createSessionRepository(database()).write(
      workspaceId,
      id,
      { ...active, status: 'ended', endedAt: new Date(at), endReason },
      { messages: { firstPosition: 0, items, inProgress: null }, turns: nothing, toolCalls: nothing },
    )
    return id
  }

  const found = async (filter: SessionFilter): Promise<string[]> => {
    const { items } = await createSessionRepository(database()).list(workspaceId, filter, { limit: 10, order: 'asc' })
    return items.map(({ id }) => id)
  }

  test('finds text of either side, literally and in any case, and filters by end reason', async () => {
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

  test('has the last feedback on each of them, which stays when the record changes', async () => {
    const sessions = createSessionRepository(database())
    const { id, workspaceId } = await createSession(database())
    const feedback = async () => (await sessions.find(workspaceId, id))?.feedback
    expect(await feedback()).toBeNull()
    await sessions.giveFeedback(workspaceId, id, -1, 'Slow.')
    await sessions.write(
      workspaceId,
      id,
      { ...active, status: 'ended', endedAt: new Date(at), endReason: 'api_ended' },
      { messages: { ...nothing, inProgress: null }, turns: nothing, toolCalls: nothing },
    )
    expect(await feedback()).toMatchObject({ score: -1, comment: 'Slow.' })
    expect(await sessions.giveFeedback(workspaceId, id, 1, null)).toMatchObject({ score: 1, comment: null })
    const { items } = await sessions.list(workspaceId, {}, { limit: 10, order: 'asc' })
    expect(items.map((item) => item.feedback)).toEqual([await feedback()])
    expect(await sessions.giveFeedback(randomUUID(), id, 1, null)).toBeUndefined()
  })
})
