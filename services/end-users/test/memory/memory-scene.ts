import { randomUUID } from 'node:crypto'
import { createClient, createInProcessBus } from '@parlance/bus'
import { memoryContract } from '@parlance/contracts'
import { createMemoryTtlStore, type Database, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { patientClient, startPostgresServer } from '@parlance/testing'
import { startMemory } from '../../src/memory/memory.js'

/** The memory service on a Postgres of its own. */
export const startInstallation = async ({ wrap = (database: Database) => database } = {}) => {
  const postgres = await startPostgresServer()
  const bus = createInProcessBus()
  const ttl = createMemoryTtlStore()
  const databases: Database[] = []
  const running = await startMemory({
    instanceId: randomUUID(),
    bus,
    ttl,
    metrics: createMetrics(),
    tracing: noTracing,
    logger: createLogger({ name: 'end-users', level: 'silent' }),
    openSharedStore: async () => undefined,
    readSecret: () => '',
    async openDatabase(schema) {
      const database = await openPostgresDatabase({ url: postgres.url, ...schema })
      databases.push(database)
      return wrap(database)
    },
  })
  const memory = patientClient(createClient(bus, memoryContract))

  return {
    memory,

    /** The service's own connection, for queries that the service does not offer. */
    get database(): Database {
      return databases[0]!
    },

    async stop(): Promise<void> {
      await running.stop()
      await Promise.all([bus.close(), ttl.close()])
      await postgres.stop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** An Agent and an end user in a workspace, each new unless given. */
export const newScope = (given: Partial<Record<'workspace_id' | 'end_user_id' | 'agent_id', string>> = {}) => ({
  workspace_id: randomUUID(),
  end_user_id: randomUUID(),
  agent_id: randomUUID(),
  ...given,
})
export type Scope = ReturnType<typeof newScope>

/** Facts of a new conversation, from messages at `messageAt`. */
export const extracted = (scope: Scope, texts: readonly string[], messageAt = new Date()) => ({
  ...scope,
  session_id: randomUUID(),
  facts: texts.map((text) => ({ text, message_id: randomUUID(), said_at: messageAt.toISOString() })),
})

export const textsOf = (facts: readonly { text: string }[]): string[] => facts.map(({ text }) => text)
