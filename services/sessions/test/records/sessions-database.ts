import { randomUUID } from 'node:crypto'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { startPostgresServer, type TestServer } from '@parlance/testing'
import type { SessionState } from '../../src/records/session-repository.js'
import { createSessionRepository, type NewSession } from '../../src/records/session-repository.js'

const migrations = new URL('../../migrations/', import.meta.url)

/** The database of the service on a Postgres of the suite's own. It is open while the tests run. */
export const useSessionsDatabase = (): (() => Database) => {
  let server: TestServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgresServer()
    database = await openPostgresDatabase({ url: server.url, schema: 'sessions', migrations })
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
  })
  return () => database
}

/** The state of a conversation that has just begun. */
export const active: SessionState = {
  status: 'active',
  startedAt: new Date('2026-01-31T09:30:00.000Z'),
  endedAt: null,
  endReason: null,
  error: null,
  usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 },
  creditUsed: '0',
}

/** No new items of a conversation. */
export const nothing = { firstPosition: 0, items: [] }

/** Creates the record of a conversation, without a limit of how many there are. */
export const createSession = async (database: Database, fields: Partial<NewSession> = {}): Promise<NewSession> => {
  const session: NewSession = {
    id: randomUUID(),
    workspaceId: randomUUID(),
    agentId: randomUUID(),
    publication: { id: randomUUID(), version: 1 },
    endUserId: null,
    instanceId: 'instance-1',
    transport: 'websocket',
    inputMode: 'automatic',
    metadata: {},
    keyId: randomUUID(),
    llm: { provider: 'openai', model: 'any' },
    ...fields,
  }
  await createSessionRepository(database).create(session, { ofWorkspace: 0, ofAgent: null })
  return session
}
