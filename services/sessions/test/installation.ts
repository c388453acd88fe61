import { randomUUID } from 'node:crypto'
import { type Client, createClient, createInProcessBus } from '@parlance/bus'
import {
  creditContract,
  liveSessionsContract,
  sessionRequestSchema,
  sessionsContract,
  tokensContract,
} from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { createMemoryTtlStore, type Database, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { patientClient, startPostgresServer } from '@parlance/testing'
import { env } from '../src/env.js'
import { createSessionsService } from '../src/service.js'
import type { ConversationParts } from '../src/start/conversation-parts.js'
import { createFakeParts } from './fake-parts.js'
import { type AgentFields, serveFakes } from './fake-services.js'

export interface InstallationOptions {
  readonly wrap?: (database: Database) => Database
  readonly parts?: Partial<ConversationParts>
  readonly environment?: Record<string, string>
  /** Instances of the service; one if not given. */
  readonly instances?: number
}

/**
 * The service, with conversations that say everything back, beside tokens and credit on a bus and a Postgres of its own.
 * Agents and speech are fakes.
 */
export const startInstallation = async ({ wrap = (database) => database, ...options }: InstallationOptions = {}) => {
  const postgres = await startPostgresServer()
  const bus = createInProcessBus()
  const ttl = createMemoryTtlStore()
  const databases: Database[] = []
  const platformOf = (instanceId: string) => ({
    instanceId,
    bus,
    ttl,
    logger: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    tracing: noTracing,
    openSharedStore: async () => undefined,
    readSecret: () => 'a-secret',
    async openDatabase(schema: { schema: string; migrations: URL }) {
      const database = await openPostgresDatabase({ url: postgres.url, ...schema })
      databases.push(database)
      return schema.schema === 'sessions' ? wrap(database) : database
    },
  })

  const fakes = await serveFakes(bus)
  const tokensEnv = tokens.env.parse({})
  const tokensRunning = await tokens.start(platformOf('tokens'), tokensEnv)
  const parts = { ...createFakeParts(), ...options.parts }
  const service = createSessionsService(async () => parts)
  const instances = await Promise.all(
    Array.from({ length: options.instances ?? 1 }, (_, index) =>
      service.start(platformOf(`sessions-${index}`), env.parse(options.environment ?? {})),
    ),
  )

  const live: Client<typeof liveSessionsContract> = patientClient(createClient(bus, liveSessionsContract))
  const credit = patientClient(createClient(bus, creditContract))
  const tokensClient = patientClient(createClient(bus, tokensContract))

  return {
    bus,
    ttl,
    instances,
    live,
    credit,
    tokens: tokensClient,
    records: patientClient(createClient(bus, sessionsContract)),
    speechRequests: fakes.requests,

    /** The service's own connection, for what no method of it does. */
    get database(): Database {
      return databases.at(-1)!
    },

    async newWorkspace(amount = '100'): Promise<string> {
      const workspaceId = randomUUID()
      if (amount !== '0') await credit.grant({ workspace_id: workspaceId, amount, reference: 'test' })
      return workspaceId
    },

    newAgent(fields: AgentFields = {}): string {
      const id = randomUUID()
      fakes.agents.set(id, fields)
      return id
    },

    async newToken(workspace_id: string, agent_id: string, end_user_id: string | null = null) {
      const minted = await tokensClient.mintSessionToken({ workspace_id, key_id: randomUUID(), agent_id, end_user_id })
      const grant = await tokensClient.checkSessionToken({ token: minted.token, agent_id })
      return { token: minted.token, grant }
    },

    /** Starts one over a WebSocket, as the gateway asks for it. */
    async start(workspaceId: string, agentId: string, request: object = {}, endUserId: string | null = null) {
      const { token, grant } = await this.newToken(workspaceId, agentId, endUserId)
      const parsed = sessionRequestSchema.parse({ transport: 'websocket', ...request })
      return live.startSession({ grant, token, request: parsed })
    },

    async stop(): Promise<void> {
      await Promise.all(
        instances.map(async (instance) => {
          await instance.drain?.()
          await instance.stop()
        }),
      )
      await tokensRunning.stop()
      await fakes.stop()
      await bus.close()
      await ttl.close()
      await postgres.stop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>
