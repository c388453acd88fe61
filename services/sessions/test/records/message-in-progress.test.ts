import { randomUUID } from 'node:crypto'
import type { SessionMessage } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { createOrphanRepository } from '../../src/records/orphan-sweeper.js'
import { createSessionRepository } from '../../src/records/session-repository.js'
import { createTranscriptRepository } from '../../src/records/transcript-repository.js'
import { active, createSession, nothing, useSessionsDatabase } from './sessions-database.js'

const messageOf = (role: SessionMessage['role'], text: string, interrupted = false): SessionMessage => ({
  id: randomUUID(),
  role,
  text,
  created_at: new Date().toISOString(),
  interrupted,
})

describeWithPrograms(['postgres'], 'a message in progress', () => {
  const database = useSessionsDatabase()

  const begin = async (instanceId: string) => {
    const { id, workspaceId } = await createSession(database(), { instanceId })
    return {
      write: (firstPosition: number, items: SessionMessage[], inProgress: SessionMessage | null) =>
        createSessionRepository(database()).write(workspaceId, id, active, {
          messages: { firstPosition, items, inProgress },
          turns: nothing,
          toolCalls: nothing,
        }),
      progress: () => createTranscriptRepository(database()).progress(workspaceId, id),
      messages: async () => {
        const page = { limit: 10, order: 'asc' as const }
        return (await createTranscriptRepository(database()).listMessages(workspaceId, id, page)).items
      },
    }
  }

  test('is in the progress of its conversation until it is final', async () => {
    const { write, progress } = await begin('instance-1')
    expect(await progress()).toEqual({ finalMessages: 0, inProgress: null })
    const user = messageOf('user', 'Count.')
    const soFar = messageOf('agent', 'One', true)
    await write(0, [user], soFar)
    expect(await progress()).toEqual({ finalMessages: 1, inProgress: soFar })
    await write(1, [], { ...soFar, text: 'One two' })
    expect(await progress()).toEqual({ finalMessages: 1, inProgress: { ...soFar, text: 'One two' } })
    await write(1, [{ ...soFar, text: 'One two three.' }], null)
    expect(await progress()).toEqual({ finalMessages: 2, inProgress: null })
  })

  test('is not shown, and is replaced by the final message', async () => {
    const { write, messages } = await begin('instance-1')
    const user = messageOf('user', 'Count.')
    const soFar = messageOf('agent', 'One', true)
    await write(0, [user], soFar)
    await write(1, [], { ...soFar, text: 'One two' })
    expect(await messages()).toEqual([user])
    const final = { ...soFar, text: 'One two three.', interrupted: false }
    await write(1, [final], null)
    expect(await messages()).toEqual([user, final])
    await write(1, [], { ...soFar, text: 'late' })
    expect(await messages()).toEqual([user, final])
  })

  test('whose instance stopped without warning becomes an interrupted one, only in that conversation', async () => {
    const [lost, kept] = [await begin('instance-2'), await begin('instance-3')]
    const soFar = messageOf('agent', 'One two', true)
    await lost.write(0, [], soFar)
    await kept.write(0, [], messageOf('agent', 'Three', true))
    const orphans = createOrphanRepository(database())
    expect(await orphans.fail('instance-2')).toBe(1)
    expect(await orphans.fail('instance-2')).toBe(0)
    expect(await lost.messages()).toEqual([soFar])
    expect(await kept.messages()).toEqual([])
  })
})
